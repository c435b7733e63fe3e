/** Questions and answers over HTTP, one controller per kind. */
@NullMarked
package dev.purser.query.web;

import org.jspecify.annotations.NullMarked;
