package photograph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"rollcall/ingest"
	"rollcall/models"
	"rollcall/models/claim"
	"rollcall/models/photograph"
)

// down are the reasons of a host that was down.
var down = []string{NotReached, TooSlow, Answered}

// noteRows is how many rows are looked up at once.
const noteRows = 500

// note looks at the rows of a source's new runs for photographs. Only a row that is the newest of its claim speaks for it: so an
// older run, and a row of a snapshot that was held, change nothing.
func (t *Taker) note(ctx context.Context, s *ingest.Source) error {
	runs, err := t.Store.RunsToNote(ctx, s.ID)
	if err != nil {
		return err
	}
	for _, run := range runs {
		n := &noting{Taker: t, source: s, family: models.Family(s.Kind), keep: keeping{Taker: t, source: s}}
		err := t.Runner.Photographs(ctx, s, run.Documents, func(r ingest.Photographed) error { return n.row(ctx, r) })
		if e, ok := errors.AsType[*models.Error](err); ok && e.Code == models.CodeNotFound {
			err = nil // its documents are gone
		}
		if err == nil {
			err = n.flush(ctx)
		}
		if err == nil {
			err = n.keep.flush(ctx)
		}
		if err == nil || ctx.Err() == nil && !errors.Is(err, errStore) { // what cannot be read now cannot be read later
			if err != nil {
				t.Log.WarnContext(ctx, "documents of a run not looked at for photographs", "source", s.ID, "run", run.ID, "error", err)
			}
			err = t.Store.NoteRun(ctx, s.ID, run.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skip passes over the new runs of a source.
func (t *Taker) skip(ctx context.Context, source string) error {
	runs, err := t.Store.RunsToNote(ctx, source)
	if err != nil || len(runs) == 0 {
		return err
	}
	return t.Store.NoteRun(ctx, source, runs[len(runs)-1].ID)
}

// errStore marks an error of our own, after which a run is looked at again.
var errStore = errors.New("photographs of rows not stored")

// noting looks at the rows of one run.
type noting struct {
	*Taker
	source *ingest.Source
	family models.Family
	keep   keeping
	rows   []ingest.Photographed
}

// row takes a row. Rows are looked up some hundred at once.
func (n *noting) row(ctx context.Context, r ingest.Photographed) error {
	if n.rows = append(n.rows, r); len(n.rows) < noteRows {
		return nil
	}
	return n.flush(ctx)
}

// flush compares the rows at hand with what is known.
func (n *noting) flush(ctx context.Context) error {
	if len(n.rows) == 0 {
		return nil
	}
	keys := make([]string, len(n.rows))
	for i, r := range n.rows {
		keys[i] = r.Key
	}
	claims, err := n.Store.Photographables(ctx, n.family, n.source.ID, keys, n.kept(n.source))
	if err != nil {
		return errors.Join(errStore, err)
	}
	known, err := n.Store.References(ctx, n.source.ID, keys)
	if err != nil {
		return errors.Join(errStore, err)
	}
	var put []*photograph.Reference
	var gone []string
	for _, r := range n.rows {
		c, may := claims[r.Key]
		// A claim appends to the fingerprint what its row says of an age.
		if !may || len(r.Fingerprint) == 0 || !bytes.HasPrefix(c.Fingerprint, r.Fingerprint) {
			continue
		}
		switch sum := sha256.Sum256([]byte(r.Photograph)); {
		case r.Photograph == "":
			// A source of changes says nothing by a blank. A list that shows a photograph no more took it away.
			if !n.source.ReportsChanges() && (known[r.Key] != nil || c.Photograph != "") {
				gone = append(gone, r.Key)
			}
		case n.settled(known[r.Key], c, r.Photograph, sum[:]):
		default:
			ref := &photograph.Reference{Family: n.family, SourceID: n.source.ID, Key: r.Key, Reference: sum[:], State: photograph.Wanted, NotedAt: n.Now().UTC()}
			if b, inline := inlined(r.Photograph); inline {
				if err := n.keep.add(ctx, ref, b); err != nil {
					return errors.Join(errStore, err)
				}
				continue
			}
			if err := n.locate(ref, r.Photograph); err != nil { // nobody is asked, and what the row named before goes
				if err := n.keep.refuse(ctx, ref, OtherHost); err != nil {
					return errors.Join(errStore, err)
				}
				continue
			}
			put = append(put, ref)
		}
	}
	n.rows = n.rows[:0]
	return errors.Join(n.Store.PutReferences(ctx, put), n.forget(ctx, gone))
}

// settled reports whether a reference is known and needs no look: it is waiting, refused for what it is, or its picture is kept.
// One that was refused for the document or a host that was down is looked at anew: either may be well by now.
func (n *noting) settled(known *photograph.Reference, c claim.Photographable, text string, sum []byte) bool {
	switch {
	case known == nil || !bytes.Equal(known.Reference, sum):
		return false
	case known.State == photograph.Kept:
		return known.Hash != nil && *known.Hash == c.Photograph
	case known.State == photograph.Wanted || known.DueAt != nil:
		return true
	case *known.Reason == OtherHost && n.source.Transport.Drops(): // the name leads out of the drop, whatever the document says
		return true
	case *known.Reason == OtherHost:
		_, err := n.source.Transport.Address(text)
		return err != nil
	default:
		return !slices.Contains(down, *known.Reason)
	}
}

// locate notes where the photograph of a reference is to be asked for. The error is fetch.ErrBeside.
func (n *noting) locate(ref *photograph.Reference, text string) error {
	if !n.source.Transport.Drops() {
		address, err := n.source.Transport.Address(text)
		if err != nil {
			return err
		}
		text = address
	}
	now := n.Now().UTC()
	ref.Address, ref.DueAt = &text, &now
	return nil
}

// forget takes away the photographs of rows that name none any more.
func (n *noting) forget(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	list := make([]claim.Photograph, len(keys))
	for i, key := range keys {
		list[i] = claim.Photograph{Source: n.source.ID, Key: key}
	}
	if err := n.Store.PutPhotographs(ctx, n.family, list); err != nil {
		return errors.Join(errStore, fmt.Errorf("take photographs away: %w", err))
	}
	return n.Store.DropReferences(ctx, n.source.ID, keys)
}

// again is when a photograph is asked for again that is kept or a placeholder, or was not brought for the nth time.
func again(now time.Time, tries int16) *time.Time {
	wait := recheck
	if tries > 0 {
		wait = retries[min(int(tries), len(retries))-1]
	}
	at := now.Add(wait).UTC()
	return &at
}
