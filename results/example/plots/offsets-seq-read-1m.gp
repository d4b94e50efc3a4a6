# SPDX-License-Identifier: GPL-3.0-or-later
# Made by nvmatch. Draw it again, in this directory: gnuplot -d offsets-seq-read-1m.gp
name = 'offsets-seq-read-1m'
label_a = 'A'
label_b = 'B'
unit = 'GB/s'
most = 3.642107198
extent = 32
sides = 2
xticks = "set xtics nomirror ('0 B' 0, '134 MB' 8, '268 MB' 16, '403 MB' 24, '537 MB' 32)"
gaps = 0
used = '0 1 0 0 0 1'

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

# Strips of data state by offset, throughput over them.
# the words that fit into a width in pixels
fit(w, short, middle, long) = w > 150 ? long : w > 74 ? middle : w > 12 ? short : ''
do for [form in forms] {
	narrow = form eq 'narrow'
	width = narrow ? 380 : 900
	top = narrow ? 66 : 46
	panel = narrow ? 150 : 158
	between = sides == 2 ? 66 : 0
	height = top + sides * panel + between + 52
	left = narrow ? 46 : 66
	right = narrow ? 32 : 36
	eval begin(form, width, height)
	big = big_font(form); k = dot(form)
	set multiplot
	set lmargin at screen real(left) / width
	set rmargin at screen 1 - real(right) / width
	set xrange [0:extent]
	# a key with the fill of each state that occurs
	unset border; unset xtics; unset ytics
	set tmargin at screen 1; set bmargin at screen 0
	set yrange [0:height]
	unset arrow; unset label; unset object
	px = real(extent) / (width - left - right)
	at = 0; line = 0; n = 0
	do for [state = 0:5] {
		if (int(word(used, state + 1))) {
			w = strlen(words[state + 1]) * (narrow ? 6.6 : 7.0) + 34
			if (narrow && at + w > width - left - right) { at = 0; line = line + 1 }
			y = height - 16 - 20 * line
			n = n + 1
			set object n rect from at * px, y - 6 to (at + 18) * px, y + 6 fc rgb tint[state + 1] fs solid border lc rgb tone[state + 1]
			n = n + 1
			set object n rect from at * px, y - 6 to (at + 18) * px, y + 6 fc rgb tone[state + 1] fs transparent pattern pat[state + 1] border lc rgb tone[state + 1]
			set label words[state + 1] at (at + 24) * px, y textcolor rgb soft
			at = at + w
		}
	}
	plot NaN notitle
	unset object; unset label
	do for [s = 0:sides - 1] {
		low = real(52 + (sides - 1 - s) * (panel + between)) / height
		set bmargin at screen low
		set tmargin at screen low + real(panel) / height
		set yrange [0:most * 1.42]
		set border 2 linecolor rgb soft
		set ytics nomirror textcolor rgb soft out scale 0.5 autofreq
		if (s == sides - 1) { eval xticks } else { unset xtics }
		set label 1 (s == 0 ? label_a : label_b) at graph 0, screen low + real(panel + 10) / height left textcolor rgb side_rgb(s) font big
		set label 2 unit at screen 4.0 / width, screen low + real(panel + 10) / height left textcolor rgb soft
		plot for [state = 0:5] data index s using ($5 == state ? ($1 + $2) / 2 : NaN):(0):1:2:($3 * most * 1.42):($4 * most * 1.42) with boxxyerror fc rgb tint[state + 1] fs solid noborder notitle, \
			for [state = 0:5] data index s using ($5 == state ? ($1 + $2) / 2 : NaN):(0):1:2:($3 * most * 1.42):($4 * most * 1.42) with boxxyerror fc rgb tone[state + 1] fs transparent pattern pat[state + 1] noborder notitle, \
			data index 2 + s using 1:2 with lines lw 6 lc rgb paper notitle, \
			data index 2 + s using 1:2 with lines lw 2.5 lc rgb ink notitle, \
			data index 4 + s using 1:(most * 1.30):(narrow && $2 < 0.3 ? '' : strcol(3)) with labels textcolor rgb ink notitle, \
			data index 4 + s using 1:(most * 1.13):(sprintf('%.3g %s', $4, unit)) with labels textcolor rgb ink font big notitle
		unset label 1; unset label 2
	}
	if (sides == 2) {
		low = real(52 + panel + 38) / height
		set bmargin at screen low
		set tmargin at screen low + 18.0 / height
		set yrange [0:1]
		unset border; unset ytics; unset xtics
		plot data index 6 using ($3 == 1 ? ($1 + $2) / 2 : NaN):(0):1:2:(0):(1) with boxxyerror fc rgb soft fs solid border lc rgb soft notitle, \
			data index 6 using ($3 == 0 ? ($1 + $2) / 2 : NaN):(0):1:2:(0):(1) with boxxyerror fc rgb paper fs solid border lc rgb soft notitle, \
			data index 6 using (($1 + $2) / 2):(0.5):($3 == 1 ? fit(($2 - $1) / px, '=', '= same', '= same kind of data') : '') with labels textcolor rgb paper notitle, \
			data index 6 using (($1 + $2) / 2):(0.5):($3 == 0 ? fit(($2 - $1) / px, '≠', '≠ different', '≠ different data') : '') with labels textcolor rgb ink notitle
	}
	unset multiplot
}
set output
