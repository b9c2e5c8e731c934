# The times of the matrix products on two cards, from the slowest to the fastest kernel. Each card has its own unit.
# data: slides/data/seeds-ladder.csv slides/data/ladder-h200.csv
set multiplot layout 1,2
unset key
unset ytics
unset border
unset grid
set style fill solid 1 noborder
set yrange [10.6:0.2]
names = "Global SMEM-1 SMEM-2 SMEM-3 SMEM-4 SMEM-5 4×4 8×8 vectors buffers"
keys = "global smem1 smem2 smem3 smem4 smem5 4x4 tile vectors 8x8"
place(key) = words(substr(keys, 1, strstrt(keys, key)))
hot(key) = key eq 'smem1' ? 0xb84a00 : 0x0067a3
set format x ''
unset xtics

card = "< awk -F, '!/^#/ && $2 == \"float\" && $1 != \"cpu\"' "
set title 'Tesla K40c, 2013: ms' textcolor rgb soft
set xrange [-62:178]
plot card.'slides/data/seeds-ladder.csv' using (0):(place(strcol(1))):(0):5:(place(strcol(1))-0.36):(place(strcol(1))+0.36):(hot(strcol(1))) \
       with boxxyerror linecolor rgb variable, \
     '' using 5:(place(strcol(1))):(sprintf('  %s', strcol(5))) with labels left textcolor rgb ink, \
     '' using (-3):(place(strcol(1))):(word(names, place(strcol(1)))) with labels right textcolor rgb ink

set title 'H200, 2024: ms' textcolor rgb soft
set xrange [-4.9:14]
plot card.'slides/data/ladder-h200.csv' using (0):(place(strcol(1))):(0):4:(place(strcol(1))-0.36):(place(strcol(1))+0.36):(hot(strcol(1))) \
       with boxxyerror linecolor rgb variable, \
     '' using 4:(place(strcol(1))):(sprintf('  %s', strcol(4))) with labels left textcolor rgb ink, \
     '' using (-0.24):(place(strcol(1))):(word(names, place(strcol(1)))) with labels right textcolor rgb ink
unset multiplot
