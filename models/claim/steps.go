package claim

import (
	"context"
	"fmt"
)

// step is one step of a run. needs and makes name what it reads and leaves behind, so that a test checks
// the order: nothing is needed that no earlier step makes.
type step struct {
	name  string
	needs []string
	makes []string
	why   string
	do    func(ctx context.Context, r *run) error
}

// What steps leave for each other.
const (
	staged    = "incoming rows"
	proof     = "proof of completeness"
	locked    = "lock of the family"
	matches   = "repeated and listed keys"
	snapshots = "complete snapshots"
	folded    = "claims of the rows"
	touched   = "records whose claims became others"
	absentees = "absent claims"
	records   = "records as they are now"
	judged    = "guards that let the changes through"
	noted     = "run and source"
)

// frame are the steps around those of a family.
func frame(family []step) []step {
	before := []step{
		{
			name: "prove", needs: []string{staged}, makes: []string{proof},
			why: "a snapshot that is held changes nothing",
			do:  prove,
		},
		{
			name: "lock", needs: []string{proof}, makes: []string{locked},
			why: "writers of a family commit in the order of its generations; rows are staged and proven before",
			do:  lockFamily,
		},
		{
			name: "match", needs: []string{staged, locked}, makes: []string{matches},
			why: "repeated keys are read whatever they say; the key-turnover guard compares with what was listed",
			do:  lookAhead,
		},
		{
			name: "begin filling", needs: []string{locked},
			why: "empty tables are filled without indexes, which are made after",
			do:  beginFilling,
		},
		{
			name: "list snapshots", needs: []string{proof, locked}, makes: []string{snapshots},
			why: "absence and releases are read from them",
			do:  listSnapshots,
		},
	}
	after := []step{
		{
			name: "rehearse", needs: []string{records, judged},
			why: "a rehearsal is the list of changes, rolled back",
			do:  rehearse,
		},
		{
			name: "end filling", needs: []string{records},
			why: "one sort is faster than a look-up for each row",
			do:  endFilling,
		},
		{
			name: "analyze", needs: []string{records},
			why: "the next run is planned by statistics that know the rows of this one",
			do:  analyze,
		},
		{
			name: "note", needs: []string{records, judged}, makes: []string{noted},
			why: "the snapshot is noted in the transaction of its rows",
			do:  note,
		},
	}
	return append(append(before, family...), after...)
}

// runSteps runs steps in their order.
func (r *run) runSteps(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if err := s.do(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
