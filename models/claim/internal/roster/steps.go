package roster

import (
	"context"

	"rollcall/models/claim/internal/engine"
)

// steps returns the steps of a snapshot of a roster. withheld is counted while rows are staged.
// A test checks their order by what each needs and makes (package enginetest).
func (ro *roster) steps(withheld *int) []engine.Step {
	return append(ro.resolving(), ro.writing(withheld)...)
}

// on returns what a step does: something with the run, which the first of the steps keeps.
func (ro *roster) on(do func(ctx context.Context) error) func(context.Context, *engine.Run) error {
	return func(ctx context.Context, r *engine.Run) error {
		ro.Run = r
		return do(ctx)
	}
}

// resolving are the steps up to the bookings as their claims have them. Claims and bookings stay in memory until both guards
// let the snapshot through.
func (ro *roster) resolving() []engine.Step {
	return []engine.Step{
		{
			Name: "start", Needs: []string{engine.Locked}, Makes: []string{engine.Policies},
			Why: "runs of other sources resolve bookings by the policy of this one",
			Do:  ro.on(ro.start),
		},
		{
			Name: "known rows", Needs: []string{engine.Staged, engine.Matches, engine.Snapshots, engine.Policies}, Makes: []string{engine.Folded},
			Why: "rows of known keys are folded into their claims; one that speaks of another person is refused",
			Do:  ro.on(ro.foldKnown),
		},
		{
			Name: "judge refused rows", Needs: []string{engine.Folded}, Makes: []string{engine.Completed},
			Why: "a snapshot of which too many rows were refused proves nobody's absence",
			Do:  engine.JudgeRefused,
		},
		{
			Name: "list snapshots again", Needs: []string{engine.Completed}, Makes: []string{engine.Dated},
			Why: "this one may prove nothing any more",
			Do:  engine.ListSnapshots,
		},
		{
			Name: "recognise", Needs: []string{engine.Folded, engine.Dated}, Makes: []string{engine.Known},
			Why: "a new key may be a booking that others report, or that the source reported under another key",
			Do:  ro.on(ro.recognise),
		},
		{
			Name: "turnover", Needs: []string{engine.Folded, engine.Known, engine.Completed}, Makes: []string{engine.JudgedKeys},
			Why: "implausibly many new and gone keys hold the snapshot",
			Do:  ro.on(ro.turnover),
		},
		{
			Name: "absences", Needs: []string{engine.Folded, engine.Known, engine.Dated}, Makes: []string{engine.Absentees},
			Why: "whom complete snapshots lack is released, once every source lacks them",
			Do:  ro.on(ro.absences),
		},
		{
			Name: "resolve", Needs: []string{engine.Folded, engine.Known, engine.Absentees}, Makes: []string{engine.Resolved},
			Why: "bookings follow their claims",
			Do:  ro.on(ro.resolve),
		},
		{
			Name: "mass change", Needs: []string{engine.Resolved}, Makes: []string{engine.Judged},
			Why: "implausibly many changes of one kind hold the snapshot",
			Do:  ro.on(ro.judge),
		},
	}
}

// writing are the steps from there on: they write, and then do what follows for others and for watchers.
func (ro *roster) writing(withheld *int) []engine.Step {
	return []engine.Step{
		{
			Name: "write", Needs: []string{engine.Resolved, engine.JudgedKeys, engine.Judged}, Makes: []string{engine.Written},
			Why: "claims and bookings are written by set",
			Do:  ro.on(ro.write),
		},
		{
			Name: "insert", Needs: []string{engine.Folded, engine.JudgedKeys, engine.Judged}, Makes: []string{engine.Inserted},
			Why: "bookings that nobody knew are made in the order of booking",
			Do:  ro.on(ro.insert),
		},
		{
			Name: "end filling", Needs: []string{engine.Written, engine.Inserted}, Makes: []string{engine.Indexed},
			Why: "indexes are made at once",
			Do:  engine.EndFilling,
		},
		{
			Name: "causes", Needs: []string{engine.Written, engine.Inserted, engine.Indexed}, Makes: []string{engine.Records},
			Why: "what is withheld takes others of the same person with it",
			Do:  ro.on(ro.causes),
		},
		{
			Name: "news", Needs: []string{engine.Records},
			Why: "watchers receive the net difference of the transaction",
			Do:  ro.on(ro.news),
		},
		{
			Name: "count", Needs: []string{engine.Records},
			Why: "the report states how many records were withheld",
			Do: ro.on(func(context.Context) error {
				ro.Applied.Withheld += *withheld
				return nil
			}),
		},
	}
}
