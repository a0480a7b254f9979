package engine

import (
	"context"
	"fmt"
)

// Step is one step of a run. A test checks the order of each family's steps: nothing is needed that no earlier step makes, and
// nothing is made twice, so that a need names one step (package enginetest).
type Step struct {
	// Name is in the error of a step that fails.
	Name string
	// Needs and Makes name what the step reads and what it leaves behind.
	Needs, Makes []string
	// Why says in a sentence what would go wrong without the step, or elsewhere in the order.
	Why string
	// Do does it. A HeldError ends the run without an error of the service.
	Do func(ctx context.Context, r *Run) error
}

// What steps leave for each other, in the order in which it is made. In a family one step makes each.
const (
	Staged     = "incoming rows"
	Proof      = "proof of completeness by the document"
	Locked     = "lock of the family"
	Matches    = "repeated and listed keys"
	Snapshots  = "complete snapshots by the document"
	Policies   = "policies of the sources"
	Folded     = "claims of the rows"
	Completed  = "proof of completeness by the rows too"
	Dated      = "complete snapshots by the rows too"
	Known      = "newcomers that are known bookings"
	JudgedKeys = "key-turnover guard that lets the keys through"
	Absentees  = "absent claims"
	Resolved   = "records in memory"
	Judged     = "mass-change guard that lets the changes through"
	Written    = "known records in the tables"
	Inserted   = "new records in the tables"
	Indexed    = "indexes of tables that were empty"
	Records    = "records as they are committed"
	Noted      = "run and source"
)

// Frame returns the steps of a run: those of a family between those that all families share.
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

// runSteps runs steps in their order, up to the first error.
func (r *Run) runSteps(ctx context.Context, steps []Step) error {
	for _, s := range steps {
		if err := s.Do(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}
