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
