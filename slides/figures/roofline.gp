# Two rooflines of an H200, for the bytes of global memory and of shared memory. All kernels except the 8 by 8 kernel are just below the slope of shared memory.
# data: slides/data/counters-matmul.csv slides/data/ladder-h200.csv slides/data/roofs-h200.csv
# The roofs and the times are measured on one card. The bytes are counted: 32 for each sector of
# global memory, and 128 for each wavefront of shared memory after the GPU's assembler has merged
# loads. The height of a kernel is its measured speed.
rate(name) = real(system("awk -F, '$1 == \"".name."\" { print $2 }' slides/data/roofs-h200.csv"))
best = rate('multiply-adds')
roof(x, slope) = x * slope < best ? x * slope : NaN
# The columns: the variant, FLOP per byte of global memory, FLOP per byte of shared memory, GFLOP/s.
join = "< awk -F, '/^#/ { next } FILENAME ~ /counters/ { \
    if ($1 == \"lab\") { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    if ($2 != \"float\" || $3 != 4 || $4 ~ /^(4x4|tile|vectors)$/) next; fma = $5 * $6 * $7 / 32; \
    loads = $c[\"GPU loads\"] ? $c[\"GPU loads\"] * $c[\"GPU waves/load\"] : $c[\"shared loads\"] * $c[\"waves/load\"]; \
    waves = loads + $c[\"global loads\"] * $c[\"waves/store\"]; \
    far[$4] = 2 * fma / $c[\"sectors\"]; near[$4] = waves ? 64 * fma / waves / 128 : \"NaN\"; next } \
  $2 == \"float\" && $1 in far { printf \"%s,%g,%s,%g\\n\", $1, far[$1], near[$1], 2 * $3^3 / $4 / 1e6 }' \
  slides/data/counters-matmul.csv slides/data/ladder-h200.csv"
# The steps between SMEM-5 and 8×8 are left out. The other dots are close together, so their names
# are moved apart, by less than the size of a dot.
apart(key) = key eq 'smem5' ? 1.1 : key eq 'smem2' ? 0.93 : 1
name(key) = key eq 'global' ? 'Global' : key eq '8x8' ? '8×8' : 'SMEM-'.key[5:5]
set logscale xy
set yrange [1000:110000]
set format '%g'
set samples 1000
unset key
set multiplot layout 1,2
set lmargin 8
set rmargin 1
set ylabel 'GFLOP/s' textcolor rgb soft offset 2
set tmargin 0.6
set xrange [0.1:100]
set xlabel 'FLOP a byte of global memory' textcolor rgb soft
set label 1 sprintf('L2 %.0f GB/s', rate('L2')) at 0.68, 9800 rotate by 53 font ',23' textcolor rgb green
set label 4 sprintf('L1 %.0f GB/s', rate('L1')) at 0.16, 8000 rotate by 53 font ',23' textcolor rgb pink
set label 2 sprintf('memory %.0f GB/s', rate('memory')) at 0.4, 1300 rotate by 52 font ',23' textcolor rgb orange
set label 3 sprintf('multiply-adds %.0f', best) at 0.12, 82000 textcolor rgb soft
plot best with lines linewidth 4 linecolor rgb soft, \
     roof(x, rate('L1')) with lines linewidth 4 linecolor rgb pink, \
     roof(x, rate('L2')) with lines linewidth 4 linecolor rgb green, \
     roof(x, rate('memory')) with lines linewidth 4 linecolor rgb orange, \
     join using 2:4 with points pointtype 7 pointsize 1.3 linecolor rgb blue, \
     join using (strcol(1) eq 'global' ? NaN : $2 * 1.3):($4 * apart(strcol(1))):(name(strcol(1))) with labels left font ',23' textcolor rgb ink, \
     join using (strcol(1) eq 'global' ? $2 / 1.05 : NaN):($4 / 1.5):(name(strcol(1))) with labels right font ',23' textcolor rgb ink
unset label
unset ylabel
set xrange [0.02:20]
set xlabel 'FLOP a byte of shared memory' textcolor rgb soft
set label 1 sprintf('shared %.0f GB/s', rate('shared')) at 0.03, 1850 rotate by 53 font ',23' textcolor rgb pink
set label 3 sprintf('multiply-adds %.0f', best) at 0.024, 82000 textcolor rgb soft
plot best with lines linewidth 4 linecolor rgb soft, \
     roof(x, rate('shared')) with lines linewidth 4 linecolor rgb pink, \
     join using 3:4 with points pointtype 7 pointsize 1.3 linecolor rgb blue, \
     join using ($3 * 1.2):($4 * 0.88 * apart(strcol(1))):(name(strcol(1))) with labels left font ',23' textcolor rgb ink
unset multiplot
