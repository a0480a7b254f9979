package ingest

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

// spooled is how many rows of a run stay in memory until their county is taken. The rest of a file of the whole state waits
// in files.
const spooled = 50_000

// spool keeps the rows of a county in their order while the documents are read. Its file lies in the directory of the run, which
// is removed with it.
type spool struct {
	path   string
	left   *int // rows that the run may still keep in memory
	roster []*snapshot.RosterRow
	courts []*snapshot.CourtRow
	file   *os.File
	out    *bufio.Writer
	enc    *json.Encoder
}

// newSpool makes the spool of a county. left is shared by all counties of the run, so the memory does not grow with their
// number.
func newSpool(dir string, county int16, left *int) *spool {
	return &spool{path: filepath.Join(dir, fmt.Sprintf("county-%d", county)), left: left}
}

// add keeps a row: in memory while there is some left, then in the file. Later rows never go to memory again, because none is
// given back before the county is pushed, so the order stays.
func (s *spool) add(row any) error {
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

// push hands the rows on in their order, and forgets them.
func (s *spool) push(to sink) error {
	for i, row := range s.roster {
		if err := to.roster(row); err != nil {
			return err
		}
		s.roster[i] = nil // its memory is free before the next county
	}
	for i, row := range s.courts {
		if err := to.court(row); err != nil {
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
func (s *spool) pushFile(to sink) error {
	defer s.close()
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
func (s *spool) next(dec *json.Decoder, to sink) error {
	if to.roster != nil {
		row := new(snapshot.RosterRow)
		if err := dec.Decode(row); err != nil {
			return err
		}
		return to.roster(row)
	}
	row := new(snapshot.CourtRow)
	if err := dec.Decode(row); err != nil {
		return err
	}
	return to.court(row)
}

// close ends the file, if there is one.
func (s *spool) close() {
	if s.file == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.path) // else it goes with the directory
	s.file = nil
}
