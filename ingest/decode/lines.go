package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// endMark is what old systems (CP/M, DOS) write at the end of a text.
const endMark = 0x1a

// lines reads the lines of a text in a bounded buffer. A line beyond the limit is skipped to its end and
// reported once.
type lines struct {
	r          io.Reader
	buf        []byte
	start, end int
	eof        bool
	// limit is the most bytes of a line; the buffer is one larger, which shows that a line goes on.
	limit int
	// line is the number of the line that begins at start.
	line int64
	// open reports whether the line that was returned last runs into the end of the text.
	open bool
}

// newLines reads lines of at most limit bytes. It needs memory for one line only.
func newLines(r io.Reader, limit int) *lines {
	l := &lines{r: r, buf: make([]byte, min(limit, 256<<10)+1), limit: limit, line: 1}
	return l
}

// pending are the bytes read and not yet consumed.
func (l *lines) pending() []byte { return l.buf[l.start:l.end] }

// fill reads more and reports whether anything was added. At the limit it adds nothing. The buffer grows up
// to one line and then stays, so a document of any size needs little memory.
func (l *lines) fill() (bool, error) {
	if l.eof || l.end-l.start > l.limit {
		return false, nil
	}
	if l.start > 0 && l.end == len(l.buf) {
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, min(len(l.buf), l.limit+1))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	if errors.Is(err, io.EOF) {
		l.eof = true
		return n > 0, nil
	}
	if err != nil {
		return false, fmt.Errorf("read text: %w", err)
	}
	return true, nil
}

// consume drops n bytes that hold newlines line breaks.
func (l *lines) consume(n, newlines int) {
	l.start += n
	l.line += int64(newlines)
}

// next returns one line without its end, valid until the next call, and its number. long is true when it was
// cut at the limit; the rest is skipped. io.EOF ends.
func (l *lines) next() (line []byte, number int64, long bool, err error) {
	for {
		number = l.line
		if i := bytes.IndexByte(l.pending(), '\n'); i >= 0 {
			line = bytes.TrimSuffix(l.pending()[:i], []byte{'\r'})
			l.consume(i+1, 1)
			return line, number, false, nil
		}
		more, err := l.fill()
		switch {
		case err != nil:
			return nil, 0, false, err
		case more || !l.eof && l.end-l.start <= l.limit:
			continue
		case l.eof && l.start == l.end:
			return nil, 0, false, io.EOF
		case l.eof:
			line = bytes.TrimSuffix(l.pending(), []byte{'\r'})
			l.runOut()
			return line, number, false, nil
		}
		// Only the beginning of a line that is too long is kept, for quarantine.
		head := bytes.Clone(l.pending()[:min(1024, l.end-l.start)])
		if err := l.skip(); err != nil {
			return nil, 0, false, err
		}
		return head, number, true, nil
	}
}

// runOut drops the last line, which no line break ends. The end mark of old systems ends it as well.
func (l *lines) runOut() {
	l.open = l.start < l.end && l.buf[l.end-1] != endMark
	l.consume(len(l.pending()), 1)
}

// skip drops everything up to the end of the line, however long it is.
func (l *lines) skip() error {
	for {
		if i := bytes.IndexByte(l.pending(), '\n'); i >= 0 {
			l.consume(i+1, 1)
			return nil
		}
		l.start, l.end = 0, 0
		if more, err := l.fill(); err != nil || !more && l.eof {
			l.line++
			l.open = true
			return err
		}
	}
}
