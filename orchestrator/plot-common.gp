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
