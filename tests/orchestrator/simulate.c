/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: simulate [COMPARISONS] [SEED]: comparisons of made-up drives, judged as real ones are.
 * Equal drives with drift and noise must hardly ever come out as different (at most alpha); a gap of 5 %
 * must be found as often as was planned (80 %). Exit status 1 when one of them is not so.
 */
#include "examples.h"

#include "fixture.h"
#include "judge.h"
#include "stats-design.h"
#include "stats-random.h"
#include "verdict-json.h"

struct counts {
	int different, unresolved, equivalent, inconclusive;
};

static double normal(struct stats_random *r)
{
	double u = 1 - stats_random_unit(r), v = stats_random_unit(r);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Slots drift by 0.5 % each, and the drift turns; now and then a round is hit by something (heavy tail). */
static int one(struct stats_random *r, size_t rounds, double sd, double gap)
{
	static struct fixture fx;
	struct verdict v = { 0 };
	double drift = 0, step = 0.005 * (stats_random_unit(r) < 0.5 ? 1 : -1);
	bool b_first = false;
	int verdict;
	size_t w;

	fixture_start(&fx);
	w = fixture_workload(&fx, "seq-read-1m", "read", 1 << 20);
	for (size_t i = 0; i < rounds; i++) {
		double mb[SIDES];
		double noise = sd / sqrt(2) * (stats_random_unit(r) < 0.05 ? 3 : 1);

		b_first = i % 2 ? !b_first : stats_random_quad(r);
		for (int k = 0; k < SIDES; k++) {
			int s = b_first ? !k : k;

			mb[s] = 3000 * exp((s == SIDE_A ? gap : 0) + drift + noise * normal(r));
			drift += step;
		}
		if (stats_random_unit(r) < 0.2)
			step = -step;
		fixture_round(&fx, w, false, mb[SIDE_A], mb[SIDE_B])->a_first = !b_first;
	}
	if (judge(&fx.result, &v))
		exit(1);
	verdict = v.comparisons[0].verdict;
	verdict_free(&v);
	return verdict;
}

static struct counts many(int n, uint64_t seed, size_t rounds, double sd, double gap)
{
	struct stats_random r = { seed };
	struct counts c = { 0, 0, 0, 0 };

	for (int i = 0; i < n; i++) {
		int verdict = one(&r, rounds, sd, gap);

		c.different += verdict == VERDICT_DIFFERENT;
		c.unresolved += verdict == VERDICT_DIFFERENT_SIZE_UNRESOLVED;
		c.equivalent += verdict == VERDICT_EQUIVALENT || verdict == VERDICT_EQUIVALENT_SMALL_DIFFERENCE;
		c.inconclusive += verdict == VERDICT_INCONCLUSIVE;
	}
	return c;
}

int main(int argc, char **argv)
{
	static const double sds[] = { 0.005, 0.01, 0.02, 0.03 };
	int n = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 200, rc = 0;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	if (n < 1 || n > 1000000)
		return 2;
	for (int gap = 0; gap < 2; gap++) {
		printf("%s\nscatter  rounds  different  size unresolved  equivalent  inconclusive\n", gap ?
		       "\nA is 5 % faster" : "Equal drives");
		for (size_t i = 0; i < sizeof(sds) / sizeof(*sds); i++) {
			/* what a pilot would see: 5 % of the rounds have three times the noise, drift adds */
			double seen = sqrt(1.4 * sds[i] * sds[i] + 0.005 * 0.005);
			size_t rounds = stats_rounds_for_power(seen, 0.05);
			struct counts c;
			double found;

			rounds = gap ? rounds < 6 ? 6 : rounds : 10;
			c = many(n, seed + i, rounds, sds[i], gap ? log(1.05) : 0);
			found = (double)(c.different + c.unresolved) / n;
			printf("%5.1f %%  %6zu  %8.1f %%  %14.1f %%  %9.1f %%  %11.1f %%\n", 100 * sds[i], rounds,
			       100.0 * c.different / n, 100.0 * c.unresolved / n, 100.0 * c.equivalent / n,
			       100.0 * c.inconclusive / n);
			if (gap ? found < 0.8 : (double)c.different / n > 0.05)
				rc = 1;
		}
	}
	return rc;
}
