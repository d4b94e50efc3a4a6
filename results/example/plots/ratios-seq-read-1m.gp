# SPDX-License-Identifier: GPL-3.0-or-later
# Made by nvmatch. Draw it again, in this directory: gnuplot -d ratios-seq-read-1m.gp
name = 'ratios-seq-read-1m'
metric = 'bandwidth'
least = 0.04908771161
most = 20.37169726
margin = 1.02
rounds = 6
has_alone = 1
has_both = 1
has_matched = 1
xticks = "set xtics nomirror ('0.01' 0.01, '0.03' 0.03, '0.1' 0.1, '0.3' 0.3, '1' 1, '3' 3, '10' 10, '30' 30, '100' 100)"

# What all pictures share. Colours: light scheme; the page puts its own in their place.
set encoding utf8
set decimalsign '.'
set termoption noenhanced
forms = 'svg narrow png'
ink = 0x1b1f24; soft = 0x5b6570; rule = 0xd8dde3; paper = 0xffffff; band = 0xe4e8ec
side_a = 0xb84a00; side_b = 0x0069a8
# data states: 0 not classified, 1 zeros, 2 pattern, 3 highly compressible, 4 compressible, 5 incompressible
array tint[6] = [0xfefefe, 0xe9f1f7, 0xf3d9e7, 0xcdebdf, 0xf8f0a6, 0xfad08a]
array tone[6] = [0xb4bcc4, 0x9db4c6, 0xc98fb0, 0x6db99d, 0xc9bb4a, 0xdfa04a]
array pat[6] = [5, 0, 1, 4, 7, 6]
array words[6] = ['not classified', 'zeros', 'pattern', 'highly compressible', 'compressible', 'incompressible']
# pngcairo is drawn twice as large
dot(form) = form eq 'png' ? 2.0 : 1.0
big_font(form) = form eq 'png' ? ',21' : ',14'
begin(form, w, h) = form eq 'png' ? \
	sprintf("set terminal pngcairo size %d,%d noenhanced font 'DejaVu Sans,%d' linewidth 2 background '#ffffff'; set output '%s.png'", 2 * w, 2 * h, 19, name) : \
	sprintf("set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,%d' linewidth 1 background '#ffffff'; set output '%s%s.svg'", w, h, 13, name, form eq 'narrow' ? '-narrow' : '')
set tics nomirror textcolor rgb soft
set border 3 linecolor rgb soft linewidth 1
set grid noxtics noytics
unset key
set datafile separator "\t"
data = name.'.tsv'
side_rgb(s) = s == 0 ? side_a : side_b

# A over B by round, with the mean, its interval and the margin.
panels = has_alone + has_both
array title[2] = ['each drive on its own', 'both drives at once']
array has[2] = [has_alone, has_both]
means = 1 + has_matched
row_px = rounds > 12 ? 240.0 / rounds : 20
do for [form in forms] {
	narrow = form eq 'narrow'
	width = narrow ? 380 : 900
	body = row_px * rounds + 24 * means + 26
	block = body + 92
	height = narrow ? panels * block + 6 : block + 6
	left = narrow ? 84 : 96
	right = narrow ? 12 : 16
	gap = 46
	eval begin(form, width, height)
	big = big_font(form); k = dot(form)
	set multiplot
	set logscale x
	set xrange [least:most]
	# rows: rounds from the top, then the means
	set yrange [body:0]
	set border 1 linecolor rgb soft
	eval xticks
	set xtics textcolor rgb soft out scale 0.5
	n = 0
	do for [mode = 0:1] {
		if (has[mode + 1]) {
			w = narrow ? width - left - right : (width - left - right - (panels - 1) * (gap + 60)) / panels
			x0 = left + (narrow ? 0 : n * (w + gap + 60))
			y0 = (narrow ? (panels - 1 - n) * block : 0) + 56
			set lmargin at screen real(x0) / width
			set rmargin at screen real(x0 + w) / width
			set bmargin at screen real(y0) / height
			set tmargin at screen real(y0 + body) / height
			unset label; unset arrow; unset object
			set object 1 rect from 1 / margin, graph 0 to margin, graph 1 fc rgb band fs solid noborder behind
			set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb soft lw 1 back
			set label 1 title[mode + 1] at graph 0, screen real(y0 + body + 12) / height left textcolor rgb ink font big
			set label 2 '← B faster' at graph 0, screen real(y0 - 44) / height left textcolor rgb side_b
			set label 3 'A faster →' at graph 1, screen real(y0 - 44) / height right textcolor rgb side_a
			set label 4 'A / B' at graph 0.5, screen real(y0 - 44) / height center textcolor rgb soft
			unset ytics
			set ytics scale 0 nomirror textcolor rgb soft
			set ytics ('round 1' row_px * 0.5)
			if (rounds <= 12) {
				set for [i = 2:int(rounds)] ytics add (sprintf('round %d', i) row_px * (i - 0.5))
			} else {
				set ytics ('round 1' row_px * 0.5, sprintf('round %d', rounds) row_px * (rounds - 0.5))
			}
			set ytics add ('mean' row_px * rounds + 22)
			if (has_matched) { set ytics add ('same data' row_px * rounds + 46) }
			set arrow 2 from graph 0, first row_px * rounds + 6 to graph 1, first row_px * rounds + 6 nohead lc rgb rule lw 1 back
			mean_y(subset) = row_px * rounds + 22 + 24 * subset
			plot data index 0 using ($1 == mode && $2 == 0 ? $4 : NaN):(row_px * ($3 - 0.5)) with points pt 6 ps 0.9 * k lw 1.5 lc rgb ink notitle, \
				data index 0 using ($1 == mode && $2 == 1 ? $4 : NaN):(row_px * ($3 - 0.5)) with points pt 5 ps 0.7 * k lc rgb ink notitle, \
				data index 1 using ($1 == mode ? $3 : NaN):(mean_y($2)):4:5 with xerrorbars pt -1 lw 2.5 lc rgb ink notitle, \
				data index 1 using ($1 == mode && $2 == 0 ? $3 : NaN):(mean_y($2)) with points pt 7 ps 1.2 * k lc rgb paper notitle, \
				data index 1 using ($1 == mode && $2 == 0 ? $3 : NaN):(mean_y($2)) with points pt 6 ps 1.2 * k lw 2.5 lc rgb ink notitle, \
				data index 1 using ($1 == mode && $2 == 1 ? $3 : NaN):(mean_y($2)) with points pt 5 ps 1.1 * k lc rgb ink notitle
			n = n + 1
		}
	}
	unset multiplot
}
set output
