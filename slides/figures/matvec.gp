# The bandwidth of the matrix-vector products, and the bandwidth of a copy.
# data: slides/data/bench-h200.csv slides/data/libraries-h200.csv
set style fill solid 1 noborder
set yrange [0:5000]
set ylabel 'GB/s' textcolor rgb soft offset 1
unset xtics
set xrange [-0.7:9]
set key top left reverse Left
rows(n) = "< awk -F, -v OFS=, '$1 == \"05\" && $2 == \"float\" && $3 ~ /^(naive|tiled|warp|vector)$/ && $4 == ".n." \
  { print $3, $11 < 100 ? sprintf(\"%.1f\", $11) : sprintf(\"%.0f\", $11) }' slides/data/bench-h200.csv"
order = "naive tiled warp vector"
place(key) = words(substr(order, 1, strstrt(order, key))) - 1
copy = real(system("awk -F, '$1 == \"copy\" { print $6 }' slides/data/libraries-h200.csv"))
set arrow 1 from graph 0, first copy to graph 1, first copy nohead linecolor rgb orange linewidth 2.5 dashtype 2
set label 1 sprintf('a copy: %.0f GB/s', copy) at graph 0.02, first copy offset 0, 0.8 textcolor rgb orange
set label 2 'N = 4096' at 1, graph -0.23 center textcolor rgb soft
set label 3 'N = 32768' at 6.5, graph -0.23 center textcolor rgb soft
set bmargin 4.8
unset key
plot for [i=0:1] rows(i ? '32768' : '4096') using (place(strcol(1)) + i*5):2:(0.8) with boxes linecolor rgb blue, \
     for [i=0:1] rows(i ? '32768' : '4096') using (place(strcol(1)) + i*5):2:2 with labels offset 0, 0.8 textcolor rgb ink, \
     for [i=0:1] rows(i ? '32768' : '4096') using (place(strcol(1)) + i*5):(0):1 with labels offset 0, -0.9 textcolor rgb ink
