/** Problems as HTTP: the only code that renders them, and the pages that explain them. */
@NullMarked
package dev.purser.problem.web;

import org.jspecify.annotations.NullMarked;
