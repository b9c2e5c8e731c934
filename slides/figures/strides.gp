# The wavefronts of one load in which lane i reads word i·stride, for strides 1 to 40. With banks of 4 bytes, stride 32 takes most wavefronts and odd strides take one. With banks of 8 bytes, some odd strides take two.
# data: slides/data/strides.csv
set multiplot layout 1,2
unset key
set style fill solid 1 noborder
set boxwidth 0.7
set xlabel 'stride, in words' textcolor rgb soft
set xrange [0:41]
set xtics (1, 8, 16, 24, 32, 40)
set yrange [0:34]
set ytics (1, 8, 16, 24, 32)
rows(banks) = sprintf("< awk -F, '$1 == %d' slides/data/strides.csv", banks)
colour(stride) = stride == 32 ? 0xb84a00 : stride == 33 ? 0x00785a : 0x0067a3
do for [banks in "4 8"] {
  set title sprintf('banks of %s bytes: wavefronts', banks) textcolor rgb soft
  plot rows(int(banks)) using 2:3:(colour($2)) with boxes linecolor rgb variable, \
       rows(int(banks)) using ($2 == 33 ? $2 : NaN):3:(sprintf('%d', $2)) with labels offset 0.6, 0.8 textcolor rgb green
}
unset multiplot
