package dev.purser.mechanism;

import java.util.List;
import java.util.Map;

/**
 * What a synopsis measures, and for which questions. A strategy follows from public numbers alone: how many cells each
 * column has, and whether noise is Laplace or Gaussian.
 *
 * <p>A question has a vector of weights, one for each cell. The part of this vector that a grain explains beyond all
 * coarser grains is the residual of the grain. The residuals of different grains are orthogonal, and their squared
 * lengths are called energies. Energies are divided by the number of cells, so that an undivided column counts as one.
 */
public interface Strategy {
    /** The name in answers. */
    String name();

    List<Hierarchy> columns();

    /** The tables that can get a share of the allowance. */
    List<Grain> candidates();

    /**
     * The tables that are collected from the rows. Every candidate's nodes are sums of nodes of one of these tables.
     */
    List<Grain> collected();

    /** By grain, the mean energy of the questions that the synopsis is bought for. */
    Map<Grain, Double> workload();

    /** An upper bound on the variance of every question of the workload. */
    double worstVariance(Precision precision);
}
