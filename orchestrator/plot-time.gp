# Throughput and temperature over the run.
do for [form in forms] {
	narrow = form eq 'narrow'
	width = narrow ? 380 : 900
	body = narrow ? 150 : 190
	heat = has_heat ? (narrow ? 130 : 150) : 0
	height = 58 + (has_heat ? heat + 34 : 0) + body + 58
	left = narrow ? 46 : 66
	right = narrow ? 12 : 16
	eval begin(form, width, height)
	fits(s) = narrow && strlen(s) > 19 ? s[1:18].'…' : s
	small = form eq 'png' ? ',15' : ',11'
	set multiplot
	set lmargin at screen real(left) / width
	set rmargin at screen 1 - real(right) / width
	set xrange [0:end]
	set xtics nomirror textcolor rgb soft out scale 0.5 autofreq
	low = 58 + (has_heat ? heat + 34 : 0)
	set bmargin at screen real(low) / height
	set tmargin at screen real(low + body) / height
	set yrange [0:most * 1.05]
	set ytics nomirror textcolor rgb soft out scale 0 autofreq
	set grid ytics lc rgb rule lw 1 lt 1
	set border 1 linecolor rgb soft
	set label 1 unit at screen 4.0 / width, screen real(low + body + 12) / height left textcolor rgb soft
	set label 2 fits(label_a) at screen real(left) / width, screen real(low + body + 42) / height left textcolor rgb side_a
	if (sides == 2) { set label 3 fits(label_b) at screen real(left + (narrow ? 150 : 260)) / width, screen real(low + body + 42) / height left textcolor rgb side_b }
	if (has_heat) { unset xlabel } else { set xlabel time_unit.' since the first I/O' textcolor rgb soft offset 0, 0.4 }
	plot data index 0 using 1:2 with filledcurves y1=0 fc rgb side_a fs transparent solid 0.18 notitle, \
		data index 1 using 1:2 with filledcurves y1=0 fc rgb side_b fs transparent solid 0.12 notitle, \
		data index 0 using 1:2 with lines lw 1.5 lc rgb side_a notitle, \
		data index 1 using 1:2 with lines lw 1.5 dt (5,2) lc rgb side_b notitle
	unset label; unset xlabel
	# the slots
	set bmargin at screen real(low + body + 4) / height
	set tmargin at screen real(low + body + 18) / height
	set yrange [0:1]
	unset border; unset ytics; unset xtics; unset grid
	plot data index 2 using ($3 == 1 ? NaN : ($1 + $2) / 2):(0):1:2:($3 == 2 ? 0.5 : 0):(1) with boxxyerror fc rgb side_a fs solid noborder notitle, \
		data index 2 using ($3 == 0 ? NaN : ($1 + $2) / 2):(0):1:2:(0):($3 == 2 ? 0.5 : 1) with boxxyerror fc rgb side_b fs solid noborder notitle, \
		data index 2 using (($1 + $2) / 2):(0.5):($4 * (width - left - right) < (narrow ? 9 : 12) ? '' : $3 == 0 ? 'A' : $3 == 1 ? 'B' : '') with labels textcolor rgb paper font small notitle
	if (has_heat) {
		set bmargin at screen 58.0 / height
		set tmargin at screen real(58 + heat) / height
		set yrange [least_c:most_c]
		set border 1 linecolor rgb soft
		set ytics nomirror textcolor rgb soft out scale 0 autofreq
		set grid ytics lc rgb rule lw 1 lt 1
		set xtics nomirror textcolor rgb soft out scale 0.5 autofreq
		set xlabel time_unit.' since the first I/O' textcolor rgb soft offset 0, 0.4
		set label 1 '°C' at screen 4.0 / width, screen real(58 + heat + 12) / height left textcolor rgb soft
		plot data index 5 using (0):($2):(end):(0):($1 == 2 ? ink : side_rgb($1)) with vectors nohead dt 3 lw 1.2 lc rgb variable notitle, \
			data index 3 using 1:2 with lines lw 2 lc rgb side_a notitle, \
			data index 4 using 1:2 with lines lw 2 dt (5,2) lc rgb side_b notitle, \
			data index 5 using (end * (narrow ? $4 : $3)):2:(strcol(5)) with labels left offset 0.6, 0.5 textcolor rgb soft font small notitle
	}
	unset multiplot
}
set output
