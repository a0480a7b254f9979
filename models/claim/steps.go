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
		{"prove", []string{staged}, []string{proof}, "a snapshot that is held changes nothing", prove},
		{"lock", []string{proof}, []string{locked}, "writers of a family commit in the order of its generations; rows are staged and proven before", lockFamily},
		{"match", []string{staged, locked}, []string{matches}, "repeated keys are read whatever they say; the key-turnover guard compares with what was listed", lookAhead},
		{"begin filling", []string{locked}, nil, "empty tables are filled without indexes, which are made after", beginFilling},
		{"list snapshots", []string{proof, locked}, []string{snapshots}, "absence and releases are read from them", listSnapshots},
	}
	after := []step{
		{"rehearse", []string{records, judged}, nil, "a rehearsal is the list of changes, rolled back", rehearse},
		{"end filling", []string{records}, nil, "one sort is faster than a look-up for each row", endFilling},
		{"analyze", []string{records}, nil, "the next run is planned by statistics that know the rows of this one", analyze},
		{"note", []string{records, judged}, []string{noted}, "the snapshot is noted in the transaction of its rows", note},
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
