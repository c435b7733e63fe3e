/**
 * Starts the parser of uploads in a process that may use a bounded part of the machine and reach nothing of it. Internal to the
 * dataset module.
 */
@NullMarked
package dev.purser.dataset.jail;

import org.jspecify.annotations.NullMarked;
