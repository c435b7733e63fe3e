/** Questions, quotes and answers over HTTP. */
@NullMarked
package dev.purser.query.web;

import org.jspecify.annotations.NullMarked;
