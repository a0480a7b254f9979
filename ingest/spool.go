package ingest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rollcall/models"
)

// spool keeps the rows of a county in a file while the documents are read: a file of the whole state does not fit into memory.
// It lies in the directory of the run, which is removed with it.
type spool struct {
	file *os.File
	out  *bufio.Writer
	enc  *json.Encoder
}

func newSpool(dir string, county int16) (*spool, error) {
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("county-%d", county)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in a directory of this run's own
	if err != nil {
		return nil, fmt.Errorf("keep rows of a county: %w", err)
	}
	s := &spool{file: f, out: bufio.NewWriter(f)}
	s.enc = json.NewEncoder(s.out)
	return s, nil
}

func (s *spool) add(row any) error {
	if err := s.enc.Encode(row); err != nil {
		return fmt.Errorf("keep rows of a county: %w", err)
	}
	return nil
}

// push reads the rows in their order, and removes the file.
func (s *spool) push(to sink) error {
	defer func() {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name()) // else it goes with the directory
	}()
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

func (s *spool) next(dec *json.Decoder, to sink) error {
	if to.roster != nil {
		row := new(models.RosterRow)
		if err := dec.Decode(row); err != nil {
			return err
		}
		return to.roster(row)
	}
	row := new(models.CourtRow)
	if err := dec.Decode(row); err != nil {
		return err
	}
	return to.court(row)
}
