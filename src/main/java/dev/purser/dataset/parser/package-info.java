/**
 * The program that reads uploaded files: it runs in a jailed process of its own, turns a file into records of fields, and is
 * trusted with nothing. Internal to the dataset module.
 */
@NullMarked
package dev.purser.dataset.parser;

import org.jspecify.annotations.NullMarked;
