# Draws, for each variant of a lab, the fraction of the GPU's peak rate, for square matrices:
# gnuplot -e "data='bench.csv'; picture='bench.svg'" bench.gp
set terminal svg size 1160,1500 font 'sans-serif,13' background '#ffffff'
set output picture
set datafile separator ','
set encoding utf8
set termoption noenhanced
set border 3
set tics nomirror
set xtics rotate by -35 out
set grid ytics linecolor '#dddddd'
set yrange [0:110]
set ytics 25
set ylabel '% of the roof'
set style fill solid
set boxwidth 0.7
unset key
set multiplot layout 6,2
do for [lab in '01 02 03 04 05 06'] {
  do for [precision in 'float double'] {
    chosen = sprintf("< awk -F, '$1 == \"%s\" && $2 == \"%s\" && $4 !~ /x/ && $14 != \"\" { print $3 \" \" $4 \",\" $14 }' '%s'", lab, precision, data)
    stats chosen using 2 nooutput
    set title sprintf('lab %s, %s', lab, precision)
    if (exists("STATS_records") && STATS_records > 0) {
      plot chosen using 0:2:xtic(1) with boxes linecolor '#0072b2'
    } else {
      set multiplot next
    }
  }
}
unset multiplot
