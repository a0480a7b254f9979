package ingest

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"rollcall/ingest/fetch"
)

// place is where a row of a run stands. The tables carry it as one number.
type place struct {
	document int   // of the run, from 0
	line     int64 // of the document
}

// documentShift leaves 40 bits for the line: a document has fewer lines than bytes.
const documentShift = 40

func (p place) number() int64 { return int64(p.document)<<documentShift | p.line }

// placed returns the place with a number.
func placed(number int64) place {
	return place{document: int(number >> documentShift), line: number & (1<<documentShift - 1)}
}

// snapshots makes documents of files. Those of a source that lists everybody are grouped by the
// instant that they speak of, oldest first: a group is a snapshot. Others are read together.
// Where names state no instant and none is given, files speak of the instant at which they are read.
func (s *Source) snapshots(in Input, now time.Time) ([][]fetch.Document, error) {
	var docs []fetch.Document
	named := map[string]bool{}
	for _, file := range in.Files {
		doc := fetch.Document{Name: filepath.Base(file), Path: file, At: in.At}
		at, ok, err := s.Transport.Observed.At(file)
		if err != nil {
			return nil, err
		}
		// An instant in the name goes before a given one: the source wrote the name.
		switch named[file] = ok; {
		case ok:
			doc.At = at
		case in.At.IsZero() && s.Transport.Observed.Regex != "":
			return nil, fmt.Errorf("%w, or state the instant (--at)", s.misnamed(doc.Name))
		case in.At.IsZero():
			doc.At = now
		}
		docs = append(docs, doc)
	}
	if !s.lists() {
		return [][]fetch.Document{docs}, nil
	}
	slices.SortStableFunc(docs, func(a, b fetch.Document) int { return a.At.Compare(b.At) })
	return fetch.GroupParts(docs, func(d fetch.Document) fetch.Part {
		return fetch.Part{At: d.At, Named: named[d.Path], Stem: s.Transport.Observed.Stem(d.Path)}
	}), nil
}

// errStopped ends a stream whose reader has had enough.
var errStopped = errors.New("stopped")

// stream turns a function that pushes rows into one that is pulled from.
func stream[T any](push func(yield func(T) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		// The reader may stop early, as one does that fails. Then the push ends by an error that nobody sees.
		err := push(func(row T) error {
			if !yield(row, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			var none T
			yield(none, err)
		}
	}
}

// tellEvery is how many bytes a counter reads in silence.
const tellEvery = 1 << 20

// counter reports, at every megabyte, how much was read.
type counter struct {
	r       io.Reader
	n, told int64
	tell    func(n int64) error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); c.n-c.told > tellEvery {
		c.told = c.n
		if terr := c.tell(c.n); terr != nil {
			return n, terr
		}
	}
	return n, err
}
