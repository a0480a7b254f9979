package engine

import (
	"context"
	"fmt"
)

// Step is one step of a run. needs and makes name what it reads and leaves behind, so that a test checks
// the order: nothing is needed that no earlier step makes.
type Step struct {
	Name  string
	Needs []string
	Makes []string
	Why   string
	Do    func(ctx context.Context, r *Run) error
}

// What steps leave for each other.
const (
	Staged    = "incoming rows"
	Proof     = "proof of completeness"
	Locked    = "lock of the family"
	Matches   = "repeated and listed keys"
	Snapshots = "complete snapshots"
	Folded    = "claims of the rows"
	Touched   = "records whose claims became others"
	Absentees = "absent claims"
	Records   = "records as they are now"
	Judged    = "guards that let the changes through"
	Noted     = "run and source"
)

// Frame are the steps around those of a family.
func Frame(family []Step) []Step {
	before := []Step{
		{
			Name: "prove", Needs: []string{Staged}, Makes: []string{Proof},
			Why: "a snapshot that is held changes nothing",
			Do:  prove,
		},
		{
			Name: "lock", Needs: []string{Proof}, Makes: []string{Locked},
			Why: "writers of a family commit in the order of its generations; rows are staged and proven before",
			Do:  lockFamily,
		},
		{
			Name: "match", Needs: []string{Staged, Locked}, Makes: []string{Matches},
			Why: "repeated keys are read whatever they say; the key-turnover guard compares with what was listed",
			Do:  lookAhead,
		},
		{
			Name: "begin filling", Needs: []string{Locked},
			Why: "empty tables are filled without indexes, which are made after",
			Do:  beginFilling,
		},
		{
			Name: "list snapshots", Needs: []string{Proof, Locked}, Makes: []string{Snapshots},
			Why: "absence and releases are read from them",
			Do:  ListSnapshots,
		},
	}
	after := []Step{
		{
			Name: "rehearse", Needs: []string{Records, Judged},
			Why: "a rehearsal is the list of changes, rolled back",
			Do:  rehearse,
		},
		{
			Name: "end filling", Needs: []string{Records},
			Why: "one sort is faster than a look-up for each row",
			Do:  EndFilling,
		},
		{
			Name: "analyze", Needs: []string{Records},
			Why: "the next run is planned by statistics that know the rows of this one",
			Do:  analyze,
		},
		{
			Name: "note", Needs: []string{Records, Judged}, Makes: []string{Noted},
			Why: "the snapshot is noted in the transaction of its rows",
			Do:  note,
		},
	}
	return append(append(before, family...), after...)
}

// runSteps runs steps in their order.
func (r *Run) runSteps(ctx context.Context, steps []Step) error {
	for _, s := range steps {
		if err := s.Do(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}
