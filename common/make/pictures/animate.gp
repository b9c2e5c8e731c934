# Draws an animation of bodies in the plane as GIF, and prints the number of finished frames.
# animate.sh sets the variables: data (a file), skip (bytes of its header), kind ('%float%float'),
# bytes (of a position), n (number of bodies), steps, out, title.
set terminal gif animate delay 5 loop 0 optimize size 560,600 font 'sans,11' background '#ffffff'
set output out
set encoding utf8
set print '-'
unset key
unset colorbox
set size ratio -1
set lmargin at screen 0.12
set rmargin at screen 0.97
set bmargin at screen 0.1
set tmargin at screen 0.93
set border linecolor rgb '#999999'
set tics textcolor rgb '#555555' nomirror
set palette defined (0 '#0072b2', 0.5 '#e69f00', 1 '#b34700')
frames = steps < 200 ? steps : 200
positions(step) = skip + step * n * bytes
stats data binary format=kind record=(n) skip=positions(0) using 1:2 nooutput
x0 = STATS_mean_x
y0 = STATS_mean_y
# All pictures have the same range. It contains three quarters of the bodies in the first and in the
# last step. Close encounters accelerate some bodies very far, so the range is at most twice as wide
# as the first step needs. The unit is metres, kilometres or millions of kilometres.
half = 0
do for [step in sprintf('0 %d', steps)] {
  stats data binary format=kind record=(n) skip=positions(step + 0) \
    using (sqrt(($1 - x0) ** 2 + ($2 - y0) ** 2)) nooutput
  wanted = 1.7 * STATS_up_quartile
  half = half == 0 ? wanted : wanted > 2 * half ? 2 * half : wanted > half ? wanted : half
}
half = half > 0 ? half : 1
unit = half >= 1e9 ? 1e9 : half >= 1e4 ? 1e3 : 1
set xlabel (unit == 1e9 ? 'million km' : unit == 1e3 ? 'km' : 'metres') textcolor rgb '#555555'
set xrange [(x0 - half) / unit : (x0 + half) / unit]
set yrange [(y0 - half) / unit : (y0 + half) / unit]
do for [frame = 0:frames] {
  step = int(floor(1.0 * frame * steps / frames + 0.5))
  set title sprintf('%s, step %d of %d', title, step, steps) textcolor rgb '#1a1a1a' noenhanced
  plot data binary format=kind record=(n) skip=positions(step) using ($1 / unit):($2 / unit):($0 / n) \
    with points pointtype 7 pointsize 0.55 palette
  print sprintf('%d %d', frame, frames)
}
unset output
