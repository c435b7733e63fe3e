/** Problems as HTTP: the one place that renders them, whoever raised them, and the pages that explain them. */
@NullMarked
package dev.purser.problem.web;

import org.jspecify.annotations.NullMarked;
