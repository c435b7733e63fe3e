# Parses every file of a folder of R sources.
for (file in list.files(commandArgs(trailingOnly = TRUE)[1], pattern = "[.]R$", full.names = TRUE)) {
  invisible(parse(file))
}
