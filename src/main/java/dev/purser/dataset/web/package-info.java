/** Datasets, uploads, budgets and ledgers over HTTP. */
@NullMarked
package dev.purser.dataset.web;

import org.jspecify.annotations.NullMarked;
