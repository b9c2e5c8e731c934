# The paths of sixteen bodies that attract one another. One chart shows slow bodies at whole numbers for 0.8 s, the other a dense cluster for 0.1 s.
# data: slides/data/orbits.csv
set multiplot layout 1,2
unset key
set size square
rows(start, body) = sprintf("< awk -F, '$1 == \"%s\" && $2 == %d' slides/data/orbits.csv", start, body)
first(start) = sprintf("< awk -F, '$1 == \"%s\" && $3 == 0' slides/data/orbits.csv", start)
colour(body) = word(blue.' '.orange.' '.green.' '.pink.' '.soft.' #c98a00 #4a63b8', body % 7 + 1)
set title '800 steps; metres' textcolor rgb soft
set xrange [-1:11]
set yrange [-1:11]
set xtics 5
set ytics 5
plot for [b=0:15] rows('whole', b) using 4:5 with lines linewidth 2.5 linecolor rgb colour(b), \
     first('whole') using 4:5 with points pointtype 7 pointsize 0.7 linecolor rgb ink
set title 'a dense cluster, 100 steps' textcolor rgb soft
set xrange [-1.2:1.2]
set yrange [-1.2:1.2]
set xtics 1
set ytics 1
plot for [b=0:15] rows('uniform', b) using 4:5 with lines linewidth 2.5 linecolor rgb colour(b), \
     first('uniform') using 4:5 with points pointtype 7 pointsize 0.7 linecolor rgb ink
unset multiplot
