# SPDX-License-Identifier: GPL-3.0-or-later
# Made by nvmatch. Draw it again, in this directory: gnuplot -d latency-seq-read-1m.gp
name = 'latency-seq-read-1m'
label_a = 'A'
label_b = 'B'
least = 744.4034783
most = 271319.04
highest = 4.038659894
has_alone = 1
has_both = 1
sides = 2
xticks = "set xtics nomirror ('1 ms' 1000, '10 ms' 10000, '100 ms' 100000)"

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

# Latency distributions: share of the I/Os on a scale where each step is one more nine.
array title[2] = ['each drive on its own', 'both drives at once']
array has[2] = [has_alone, has_both]
panels = has_alone + has_both
do for [form in forms] {
	narrow = form eq 'narrow'
	width = narrow ? 380 : 900
	body = 230
	block = body + 94
	height = narrow ? panels * block + 4 : block + 4
	left = narrow ? 80 : 82
	right = narrow ? 16 : 20
	gap = 30
	eval begin(form, width, height)
	big = big_font(form); k = dot(form)
	set multiplot
	set logscale x
	set xrange [least:most]
	set yrange [0:highest * 1.04]
	set border 1 linecolor rgb soft
	eval xticks
	set xtics textcolor rgb soft out scale 0.5
	set ytics scale 0 textcolor rgb soft
	set ytics ('0' 0, '50 %%' 0.30103, '90 %%' 1, '99 %%' 2, '99.9 %%' 3, '99.99 %%' 4, '99.999 %%' 5, '99.9999 %%' 6)
	set grid ytics lc rgb rule lw 1 lt 1
	n = 0
	do for [mode = 0:1] {
		if (has[mode + 1]) {
			w = narrow ? width - left - right : (width - left - right - (panels - 1) * (gap + left)) / panels
			x0 = left + (narrow ? 0 : n * (w + gap + left))
			y0 = (narrow ? (panels - 1 - n) * block : 0) + 54
			set lmargin at screen real(x0) / width
			set rmargin at screen real(x0 + w) / width
			set bmargin at screen real(y0) / height
			set tmargin at screen real(y0 + body) / height
			unset label
			set label 1 title[mode + 1] at graph 0, screen real(y0 + body + 16) / height left textcolor rgb ink font big
			set label 2 'completion latency (log scale)' at graph 0.5, screen real(y0 - 43) / height center textcolor rgb soft
			plot data index 2 * mode using 1:2 with lines lw 2.5 lc rgb side_a notitle, \
				data index 2 * mode + 1 using 1:2 with lines lw 2.5 dt (5,2) lc rgb side_b notitle, \
				for [s = 0:sides - 1] data index 4 using ($1 == mode && $2 == s ? $3 : NaN):4 with points pt (s == 0 ? 7 : 5) ps 0.8 * k lc rgb side_rgb(s) notitle, \
				for [s = 0:sides - 1] data index 4 using ($1 == mode && $2 == s && $6 > 0 ? $3 : NaN):4:((s == 0 ? 'A ' : 'B ').strcol(5)) with labels left offset 0.9, -0.5 textcolor rgb side_rgb(s) notitle, \
				for [s = 0:sides - 1] data index 4 using ($1 == mode && $2 == s && $6 < 0 ? $3 : NaN):4:((s == 0 ? 'A ' : 'B ').strcol(5)) with labels right offset -0.9, 0.5 textcolor rgb side_rgb(s) notitle
			n = n + 1
		}
	}
	unset multiplot
}
set output
