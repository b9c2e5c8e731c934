# The times of the matrix products for N = 8 to 2096. The same numbers are drawn on linear axes and on logarithmic axes.
# data: slides/data/sweep-h200.csv
set multiplot layout 1,2
set xlabel 'N' textcolor rgb soft
set key top left reverse Left
file = 'slides/data/sweep-h200.csv'
set title 'ms' textcolor rgb soft
set xrange [0:2100]
set xtics 500
set yrange [0:6000]
set ytics 1000
plot file using 1:2 skip 1 with lines linewidth 3.5 linecolor rgb ink title 'CPU, one core', \
     '' using 1:3 skip 1 with lines linewidth 3.5 linecolor rgb orange title 'CPU, 16 cores', \
     '' using 1:4 skip 1 with lines linewidth 3.5 linecolor rgb blue title 'GPU, naive', \
     '' using 1:5 skip 1 with lines linewidth 3.5 linecolor rgb green title 'GPU, tiles'
set title 'ms, both axes logarithmic' textcolor rgb soft
set logscale xy
set ytics autofreq
set xrange [8:2100]
set xtics (8, 32, 128, 512, 2048)
set yrange [0.002:9000]
set format y '%g'
unset key
plot file using 1:2 skip 1 with lines linewidth 3.5 linecolor rgb ink, \
     '' using 1:3 skip 1 with lines linewidth 3.5 linecolor rgb orange, \
     '' using 1:4 skip 1 with lines linewidth 3.5 linecolor rgb blue, \
     '' using 1:5 skip 1 with lines linewidth 3.5 linecolor rgb green
unset multiplot
