package dev.purser.dataset.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An operation that answers with {@link ConditionalReads}. The API description of the operation says so. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface ConditionalRead {}
