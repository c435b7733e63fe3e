package dev.purser.dataset;

class SqliteTamperedDatasetsTests extends TamperedDatasetsContract {}
