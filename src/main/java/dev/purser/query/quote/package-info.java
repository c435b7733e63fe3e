/**
 * Quotes: the charge and expected accuracy of questions, from public facts and the books alone. {@code ModularityTests}
 * checks that nothing here can reach an engine or spend.
 */
@NullMarked
package dev.purser.query.quote;

import org.jspecify.annotations.NullMarked;
