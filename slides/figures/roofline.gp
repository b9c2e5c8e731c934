# The roofline of an H200: what its memory and its arithmetic allow, and where the products stand. A kernel's place from
# left to right is what it asks of global memory, counted on the emulated device: 32 bytes a sector. Above the slope are
# those whose loads the caches answer.
# data: slides/data/counters-matmul.csv slides/data/ladder-h200.csv slides/data/devices.csv slides/data/libraries-h200.csv
set logscale xy
set xrange [0.1:100]
set yrange [1:120]
set xlabel 'FLOP for each byte asked of global memory' textcolor rgb soft
set ylabel 'TFLOP/s' textcolor rgb soft offset 1
set format '%g'
unset key
best = real(system("awk -F, '$1 == \"H200\" { print $4 }' slides/data/devices.csv"))
bandwidth = real(system("awk -F, '$1 == \"copy\" { print $6 / 1000 }' slides/data/libraries-h200.csv"))
roof(x) = x * bandwidth < best ? x * bandwidth : best
# variant, FLOP a byte, TFLOP/s: loads of the counters (stores count for nothing beside them), times of the card
join = "< awk -F, '/^#/ { next } FILENAME ~ /counters/ { \
    if ($1 == \"lab\") for (i = 1; i <= NF; i++) c[$i] = i; \
    if ($2 == \"float\" && $3 == 4) intensity[$4] = 64 / ($c[\"global/fma\"] * $c[\"sectors/load\"] * 32); next } \
  $2 == \"float\" && $1 in intensity { printf \"%s,%g,%g\\n\", $1, intensity[$1], 2 * $3^3 / $4 / 1e9 }' \
  slides/data/counters-matmul.csv slides/data/ladder-h200.csv"
name(key) = key eq 'global' ? 'Global' : key eq '8x8' ? '8×8' : 'SMEM-'.key[5:5]
set samples 1000
set label 1 sprintf('memory: %.2f TB/s', bandwidth) at 0.9, 2.6 rotate by 31 textcolor rgb soft
set label 2 sprintf('arithmetic: %.0f TFLOP/s', best) at 22, 88 textcolor rgb soft
plot roof(x) with lines linewidth 4 linecolor rgb soft, \
     join using 2:3 with points pointtype 7 pointsize 1.3 linecolor rgb blue, \
     join using (strcol(1) eq 'smem2' || strcol(1) eq 'smem4' ? NaN : $2 * 1.13):3:(name(strcol(1))) \
       with labels left textcolor rgb ink, \
     join using (strcol(1) eq 'smem2' || strcol(1) eq 'smem4' ? $2 / 1.13 : NaN):3:(name(strcol(1))) \
       with labels right textcolor rgb ink
