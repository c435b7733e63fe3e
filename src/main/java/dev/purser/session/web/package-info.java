/** Threshold sessions over HTTP. */
@NullMarked
package dev.purser.session.web;

import org.jspecify.annotations.NullMarked;
