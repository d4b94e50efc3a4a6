# Throughput of each drive and workload, run by run.
ends(format) = sprintf("set xtics numeric ('%s' %.0f, '%s' %.0f)", strftime(format, first), first, strftime(format, last), last)
do for [form in forms] {
	narrow = form eq 'narrow'
	width = narrow ? 380 : 900
	each = 150
	height = panels * (each + 72) + 8
	left = 66
	eval begin(form, width, height)
	small = form eq 'png' ? ',15' : ',11'
	set multiplot
	set lmargin at screen real(left) / width
	set rmargin at screen 1 - 20.0 / width
	span = last > first ? last - first : 86400.0
	set xrange [first - 0.06 * span:last + 0.06 * span]
	days = span > 3 * 86400
	set border 1 linecolor rgb soft
	set grid ytics lc rgb rule lw 1 lt 1
	do for [k = 1:panels] {
		low = (panels - k) * (each + 72) + 34
		set bmargin at screen real(low) / height
		set tmargin at screen real(low + each) / height
		set yrange [0:most[k] * 1.12]
		set ytics nomirror textcolor rgb soft out scale 0 autofreq
		set xtics nomirror textcolor rgb soft out scale 0.5 autofreq
		if (days) { set xtics time format '%Y-%m-%d' }
		if (narrow || !days) { eval ends(days ? '%Y-%m-%d' : '%m-%d %H:%M') }
		set label 1 title[k] at screen real(left) / width, screen real(low + each + 16) / height left textcolor rgb ink
		set label 2 unit[k] at screen 4.0 / width, screen real(low + each + 16) / height left textcolor rgb soft
		# gnuplot 5.4 can crash on labels of which none is to be drawn
		plot for [c = 1:(changes[k] > 0)] data index 2 * k - 1 using 1:(0):(0):(most[k] * 1.12) with vectors nohead dt 3 lw 1.2 lc rgb soft notitle, \
			for [c = 1:(changes[k] > 0)] data index 2 * k - 1 using 1:(most[k] * 1.06):2 with labels left offset 0.5, 0 textcolor rgb soft font small notitle, \
			data index 2 * k - 2 using 1:2 with lines lw 1.2 lc rgb side_b notitle, \
			data index 2 * k - 2 using 1:2:3:4 with yerrorbars pt 7 ps 0.7 lw 1.5 lc rgb side_b notitle
		unset label
	}
	unset multiplot
}
set output
