# SPDX-License-Identifier: GPL-3.0-or-later
# Made by nvmatch. Draw it again, in this directory: gnuplot -d modes-seq-read-1m.gp
name = 'modes-seq-read-1m'
label_a = 'A'
label_b = 'B'
unit = 'GB/s'
short_unit = 'GB/s'
most = 3.508469994
sides = 2
modes = 2
first_mode = 0

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

# Each drive alone and with the other: rounds, means, and the loss.
do for [form in forms] {
	narrow = form eq 'narrow'
	width = narrow ? 380 : 900
	rows = sides * modes
	row_px = 36
	group_px = modes == 2 ? 14 : 0
	body = rows * row_px + (sides - 1) * group_px + 4
	height = body + 72
	left = narrow ? 96 : 110
	right = narrow ? 72 : 110
	eval begin(form, width, height)
	k = dot(form)
	set lmargin at screen real(left) / width
	set rmargin at screen 1 - real(right) / width
	set bmargin at screen 58.0 / height
	set tmargin at screen 1 - 12.0 / height
	set xrange [0:most * 1.04]
	set yrange [body:0]
	set border 1 linecolor rgb soft
	set xtics nomirror textcolor rgb soft out scale 0.5
	if (narrow) { set xtics autofreq }
	set xlabel unit textcolor rgb soft offset 0, 0.4
	row_y(side, mode) = 2 + side * (modes * row_px + group_px) + (mode - first_mode + 0.5) * row_px
	unset ytics
	set ytics scale 0 nomirror textcolor rgb ink
	set ytics ('' -99)
	do for [s = 0:sides - 1] {
		if (first_mode == 0) { set ytics add ((s ? 'B' : 'A').' alone' row_y(s, 0)) }
		if (modes == 2 || first_mode == 1) { set ytics add ((s ? 'B' : 'A').' with '.(s ? 'A' : 'B') row_y(s, 1)) }
	}
	plot data index 2 using 4:(row_y($1, 0) + 14):($3 - $4):(row_y($1, 1) - row_y($1, 0) - 28) with vectors filled head lw 1.2 lc rgb soft notitle, \
		data index 0 using ($2 == 0 ? $3 : NaN):(row_y($1, $2)):($1 == 0 ? side_a : side_b) with points pt 7 ps 0.8 * k lc rgb variable notitle, \
		data index 0 using ($2 == 1 ? $3 : NaN):(row_y($1, $2)):($1 == 0 ? side_a : side_b) with points pt 6 ps 0.8 * k lw 1.5 lc rgb variable notitle, \
		data index 1 using 3:(row_y($1, $2) - 12):(0):(24) with vectors nohead lw 3 lc rgb ink notitle, \
		data index 1 using (most * 1.04):(row_y($1, $2) - ($4 > -900 ? 7 : 0)):(sprintf('%.3g %s', $3, short_unit)) with labels left offset 0.8, 0 textcolor rgb ink notitle, \
		data index 1 using ($4 > -900 ? most * 1.04 : NaN):(row_y($1, $2) + 9):(sprintf('%+.1f %%', -$4)) with labels left offset 0.8, 0 textcolor rgb soft notitle
}
set output
