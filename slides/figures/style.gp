# The style of all charts: the theme's colours (slides/lockstep.css), large letters, few lines.
set datafile separator ','
set datafile commentschars '#'
set encoding utf8
set border 3 linecolor '#526070' linewidth 1.5
set tics nomirror textcolor '#17202b' scale 0.6
set grid linecolor '#dfe5eb' linewidth 1
set key textcolor '#17202b' samplen 2.5 spacing 1.2 noenhanced
blue = '#0067a3'
orange = '#b84a00'
green = '#00785a'
pink = '#a3457f'
soft = '#526070'
ink = '#17202b'
pale = '#9fb3c6'
