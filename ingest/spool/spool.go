// Package spool keeps the rows of a file of several counties until the county of each is taken: in memory as long as there is
// some left, then in files of the run's directory. It knows nothing of what rows mean.
package spool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rollcall/models/snapshot"
)

// Memory is how many rows of a run stay in memory until their county is taken. The rest of a file of the whole state waits
// in files.
const Memory = 20_000

// Spool keeps the rows of a county in their order while the documents are read. Its file lies in the directory of the run, which
// is removed with it.
type Spool struct {
	path   string
	left   *int // rows that the run may still keep in memory
	roster []*snapshot.RosterRow
	courts []*snapshot.CourtRow
	file   *os.File
	out    *bufio.Writer
	enc    *json.Encoder
}

// New makes the spool of a county. left is shared by all counties of the run, so the memory does not grow with their
// number.
func New(dir string, county int16, left *int) *Spool {
	return &Spool{path: filepath.Join(dir, fmt.Sprintf("county-%d", county)), left: left}
}

// Add keeps a row: in memory while there is some left, then in the file. Later rows never go to memory again, because none is
// given back before the county is pushed, so the order stays.
func (s *Spool) Add(row any) error {
	if *s.left > 0 {
		*s.left--
		switch row := row.(type) {
		case *snapshot.RosterRow:
			s.roster = append(s.roster, row)
		case *snapshot.CourtRow:
			s.courts = append(s.courts, row)
		}
		return nil
	}
	if s.file == nil {
		f, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("keep rows of a county: %w", err)
		}
		s.file, s.out = f, bufio.NewWriter(f)
		s.enc = json.NewEncoder(s.out)
	}
	if err := s.enc.Encode(row); err != nil {
		return fmt.Errorf("keep rows of a county: %w", err)
	}
	return nil
}

// To takes the rows of a spool, which are all of one kind.
type To struct {
	Roster func(*snapshot.RosterRow) error // nil where the rows are those of courts
	Court  func(*snapshot.CourtRow) error
}

// Push hands the rows on in their order, and forgets them.
func (s *Spool) Push(to To) error {
	for i, row := range s.roster {
		if err := to.Roster(row); err != nil {
			return err
		}
		s.roster[i] = nil // its memory is free before the next county
	}
	for i, row := range s.courts {
		if err := to.Court(row); err != nil {
			return err
		}
		s.courts[i] = nil
	}
	if s.file == nil {
		return nil
	}
	return s.pushFile(to)
}

// pushFile hands on the rows that went to the file, which came after those in memory.
func (s *Spool) pushFile(to To) error {
	defer s.Close()
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("keep rows of a county: %w", err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read rows of a county: %w", err)
	}
	dec := json.NewDecoder(bufio.NewReader(s.file))
	for {
		err := s.next(dec, to)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// next reads one row of the kind that to takes.
func (s *Spool) next(dec *json.Decoder, to To) error {
	if to.Roster != nil {
		row := new(snapshot.RosterRow)
		if err := dec.Decode(row); err != nil {
			return err
		}
		return to.Roster(row)
	}
	row := new(snapshot.CourtRow)
	if err := dec.Decode(row); err != nil {
		return err
	}
	return to.Court(row)
}

// Close ends the file, if there is one.
func (s *Spool) Close() {
	if s.file == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.path) // else it goes with the directory
	s.file = nil
}
