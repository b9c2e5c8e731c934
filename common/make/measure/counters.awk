# Reads the output of `ncu --csv` for one lab program and prints a row for each kernel, with the
# sums over its launches:
#
#   awk -v lab=04 -v precision=float -v options='--size 160' -f counters.awk
#
# ncu prints some other lines, and then a line for each metric of each launch. Its numbers contain
# commas. If the GPU lacks a metric, the field is empty. Without a lab, the script prints the list
# of metrics for the option of ncu. With -v program=NAME it reads the output for a program of
# reconvergence.sh, which has other metrics; program=metrics prints their list.
BEGIN {
  traffic = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum " \
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum "
  if (program != "")
    n = split(traffic "smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum " \
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum l1tex__t_requests_pipe_lsu_mem_global_op_red.sum " \
    "smsp__inst_executed_op_shared_atom.sum", metric, " ")
  else
    n = split(traffic "smsp__sass_inst_executed_op_shared_ld.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum " \
    "smsp__sass_inst_executed_op_shared_st.sum l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum " \
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", metric, " ")
  for (i = 1; i <= n; i++) place[metric[i]] = i
  if (lab == "" && program == "" || program == "metrics") {
    for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? "," : ""), metric[i]
    print ""
    exit
  }
}

!/^"/ { next }
{
  sub(/\r$/, "")
  count = split(substr($0, 2, length($0) - 2), field, "\",\"")
}
field[1] == "ID" {
  for (i = 1; i <= count; i++) column[field[i]] = i
  next
}
{
  kernel = field[column["Kernel Name"]]
  sub(/[(<].*/, "", kernel)
  sub(/^void /, "", kernel)
  if (!(kernel in known)) { known[kernel] = 1; order[++kinds] = kernel }
  launch = kernel SUBSEP field[column["ID"]]
  if (!(launch in seen)) { seen[launch] = 1; launches[kernel]++ }
  at = place[field[column["Metric Name"]]]
  value = field[column["Metric Value"]]
  gsub(/,/, "", value)
  if (at && value ~ /^[0-9.]+$/) { sum[kernel, at] += value; got[kernel, at]++ }
}

END {
  if (lab == "" && program == "" || program == "metrics") exit
  for (k = 1; k <= kinds; k++) {
    kernel = order[k]
    line = (program != "" ? program : lab "," precision "," options) "," kernel "," launches[kernel]
    for (i = 1; i <= n; i++) line = line "," (got[kernel, i] == launches[kernel] ? sprintf("%.0f", sum[kernel, i]) : "")
    print line (program != "" ? "" : ",,")
  }
}
