package photograph

import (
	"context"
	"errors"
	"net/http"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/fetch"
	"rollcall/models"
	"rollcall/models/photograph"
	"rollcall/photo"
)

// The reasons why a photograph is not brought, beside those of package photo.
const (
	OtherHost  = "other_host"  // its address leads to a host that the document does not name
	NotReached = "not_reached" // its host did not answer, or refused the connection
	TooSlow    = "too_slow"    // its host did not send all of it in time
	NotFound   = "not_found"   // its host or drop does not have it
	Answered   = "bad_answer"  // its host answered with a status that is no success
)

// dueAtOnce is how many photographs of a source are looked up at once.
const dueAtOnce = 100

// pictureTime is how long a host may take to send one picture, once it is its turn. A picture of 2 MB comes in time over a line
// of 2 Mbit/s, and several that do not fit into a pass.
const pictureTime = 10 * time.Second

// recheck is how soon a picture that is kept is asked for again, on condition that it changed, and a placeholder in any case.
const recheck = 24 * time.Hour

// unversioned is how soon a picture that is kept is asked for again if its host states no version to compare it with: all of it
// comes again. What a host or drop does not have is asked for as often.
const unversioned = 7 * 24 * time.Hour

// retries are the waits after failures. After the last one the photograph is refused.
var retries = []time.Duration{5 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour}

// bringing asks for the due photographs of one source.
type bringing struct {
	*Taker
	source *ingest.Source
	left   int64 // bytes that may still come in this pass
	client *fetch.Polite
	drop   *fetch.Drop
}

// run brings what is due until the time or the bytes of the pass are used up.
func (b *bringing) run(ctx, until context.Context) error {
	defer b.close()
	keep := keeping{Taker: b.Taker, source: b.source}
	for until.Err() == nil && b.left > 0 {
		refs, err := b.Store.Due(ctx, b.source.ID, b.Now(), dueAtOnce)
		if err != nil || len(refs) == 0 {
			return errors.Join(err, keep.flush(ctx))
		}
		if refs, err = b.mayTake(ctx, refs); err != nil {
			return err
		}
		for _, ref := range refs {
			if until.Err() != nil || b.left <= 0 {
				break
			}
			if err := b.one(until, &keep, ref); err != nil {
				if until.Err() != nil {
					break
				}
				return err
			}
		}
		// What was brought is due no more only once it is stored.
		if err := keep.flush(ctx); err != nil {
			return err
		}
	}
	return keep.flush(ctx)
}

// mayTake leaves out the photographs that may not be taken any more, and forgets them: a juvenile's is never asked for.
func (b *bringing) mayTake(ctx context.Context, refs []*photograph.Reference) (may []*photograph.Reference, err error) {
	keys := make([]string, len(refs))
	for i, r := range refs {
		keys[i] = r.Key
	}
	claims, err := b.Store.Photographables(ctx, models.Family(b.source.Kind), b.source.ID, keys, b.kept(b.source))
	if err != nil {
		return nil, err
	}
	var not []string
	for _, r := range refs {
		if _, ok := claims[r.Key]; ok {
			may = append(may, r)
		} else {
			not = append(not, r.Key)
		}
	}
	return may, b.Store.DropReferences(ctx, b.source.ID, not)
}

// one asks for one photograph.
func (b *bringing) one(ctx context.Context, keep *keeping, ref *photograph.Reference) error {
	if ref.Address == nil { // it came in a document and waits for nothing
		ref.DueAt = nil
		return b.Store.PutReferences(ctx, []*photograph.Reference{ref})
	}
	if b.source.Transport.Drops() {
		return b.file(ctx, keep, ref)
	}
	return b.address(ctx, keep, ref)
}

// patience is how long a host may take to send one picture.
func (b *bringing) patience() time.Duration {
	if b.Patience > 0 {
		return b.Patience
	}
	return pictureTime
}

// slow stores that a host is too slow, and ends the turn of its source: what is left of it waits for the next pass, and other
// sources for none of it.
func (b *bringing) slow(ctx context.Context, keep *keeping, ref *photograph.Reference) error {
	b.left = 0
	return keep.fail(ctx, ref, TooSlow)
}

// file reads a photograph that lies beside the source's files.
func (b *bringing) file(ctx context.Context, keep *keeping, ref *photograph.Reference) error {
	if b.drop == nil {
		drop, err := b.source.Transport.Drop(ctx, b.Runner.Keys)
		if err != nil { // counted even if the pass is over: signing in to a server may take all of it
			b.left = 0
			return keep.fail(context.WithoutCancel(ctx), ref, NotReached)
		}
		b.drop = drop
	}
	reading, cancel := context.WithTimeout(ctx, b.patience())
	defer cancel()
	stop := context.AfterFunc(reading, b.drop.Close) // SFTP knows no context: only the end of the connection ends a read
	body, err := b.drop.Beside(reading, *ref.Address, photo.MostBytes)
	if !stop() {
		b.drop = nil
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err() // the pass is over; nothing is wrong with the host
	case err != nil && reading.Err() != nil:
		return b.slow(ctx, keep, ref)
	case errors.Is(err, fetch.ErrBeside):
		return keep.refuse(ctx, ref, OtherHost)
	case err != nil:
		return keep.fail(ctx, ref, NotFound)
	}
	b.left -= int64(len(body))
	return keep.add(ctx, ref, body)
}

// address asks for a photograph on the web.
func (b *bringing) address(ctx context.Context, keep *keeping, ref *photograph.Reference) error {
	if b.client == nil {
		client, err := b.Runner.Asks(b.source)
		if err != nil {
			return err
		}
		b.client, client.Most = client, b.patience()
	}
	answer, err := fetch.File(ctx, b.client, *ref.Address, fetch.Seen{ETag: ref.ETag, Modified: ref.Modified}, min(photo.MostBytes, b.left))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err() // the pass is over; nothing is wrong with the host
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return b.slow(ctx, keep, ref)
		}
		return keep.fail(ctx, ref, NotReached)
	}
	b.left -= int64(len(answer.Body))
	switch answer.Status {
	case http.StatusOK:
		if b.left <= 0 { // it may be cut off by the end of the pass
			return nil
		}
		ref.ETag, ref.Modified = answer.ETag, answer.Modified
		return keep.add(ctx, ref, answer.Body)
	case http.StatusNotModified:
		if ref.State == photograph.Refused {
			return keep.placeholder(ctx, ref)
		}
		if ref.Tries > 0 { // it says why the last try failed
			ref.Reason = nil
		}
		ref.DueAt, ref.Tries = again(b.Now(), 0), 0
		return b.Store.PutReferences(ctx, []*photograph.Reference{ref})
	case http.StatusNotFound, http.StatusGone:
		return keep.fail(ctx, ref, NotFound)
	default:
		return keep.fail(ctx, ref, Answered)
	}
}

// close ends connections.
func (b *bringing) close() {
	if b.drop != nil {
		b.drop.Close()
	}
}
