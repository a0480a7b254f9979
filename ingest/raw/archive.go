package raw

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"

	"rollcall/ingest/fetch"
	"rollcall/models/source"
	"rollcall/models/store"
)

// chunk is how many bytes of a document are encrypted together.
const chunk = 1 << 20

// Archive keeps raw documents as they came. The same bytes of a source are kept once, however many runs read them.
type Archive struct {
	Store *store.Store
	Seal  *Seal
}

// Quarantine is what the quarantined rows of a source are encrypted with: bytes that were moved to another do not open.
func Quarantine(source string) string { return "quarantine of " + source }

// about is what the chunks of a source are encrypted with, so that they open as those of no other source.
func about(source string) string { return "archive of " + source }

// digest returns what stands for the bytes of a document of a source. It is keyed, because a short message about one person
// could be guessed from a plain hash of it.
func (a Archive) digest(source string, sum []byte) []byte {
	return a.Seal.Fingerprint(about(source), string(sum))
}

// Put stores the document of a run with the number seq, and returns its size in bytes. tell, called now and then, takes how
// many of them are stored. The caller holds the lock of the source.
func (a Archive) Put(ctx context.Context, run int64, of string, seq int, doc fetch.Document, fetched, expires time.Time, tell func(done, size int64)) (size int64, err error) {
	sum, size, err := doc.Sum()
	if err != nil {
		return 0, err
	}
	content, stored, err := a.Store.BeginArchive(ctx, of, source.Archive{
		RunID: run, Seq: seq, Name: doc.Name, Digest: a.digest(of, sum), Bytes: size, Fetched: fetched, Observed: doc.At, Expires: expires,
	})
	if err != nil || stored {
		return size, err
	}
	f, err := doc.Open()
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // only read
	var bytes int64
	err = Chunks(f, chunk, func(seq int, b []byte) error {
		tell(int64(seq)*chunk, size)
		encrypted := a.Seal.Close(b, about(of))
		bytes += int64(len(encrypted))
		return a.Store.AddArchiveChunk(ctx, content, seq, encrypted)
	})
	if err == nil {
		err = a.Store.EndArchive(ctx, content, bytes)
	}
	if err != nil {
		return 0, fmt.Errorf("archive %s: %w", doc.Name, err)
	}
	return size, nil
}

// Unpack writes an archived document as it came to a new file at path. Its digest is that of the plain document, so a wrong
// chunk is noticed, and a lost one too.
func (a Archive) Unpack(ctx context.Context, of string, one source.Archive, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in a directory of this run's own
	if err != nil {
		return err
	}
	sum := sha256.New()
	err = a.Store.ArchiveChunks(ctx, one.ContentID, func(encrypted []byte) error {
		plain, err := a.Seal.Open(encrypted, about(of))
		if err != nil {
			return err
		}
		_, _ = sum.Write(plain) // a hash takes every write
		_, err = f.Write(plain)
		return err
	})
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && !a.Seal.Matches(one.Digest, about(of), string(sum.Sum(nil))) {
		err = errors.New("it is not what was archived: some of it is missing")
	}
	return err
}
