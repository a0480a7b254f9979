package fetch

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// turning is one series of pages by offset or by number.
//
// The list changes while it is read. When a person leaves, everybody behind moves up by one, and the first of
// the next page moves to a page that was read already. Nobody may be taken for released because of that. So
// pages by offset overlap by one row: while that is the same, everybody behind it still stands behind it.
// Pages that cannot overlap must be confirmed by a second snapshot (Evidence.Moving).
type turning struct {
	*session
	*Paging
	step *Step
	seen *pages
	// got is the number of rows so far, each once.
	got int
	// last is the last row, as it came; empty where pages cannot overlap.
	last string
	// total is the declared number so far.
	total string
	// short is the first page with fewer rows than a page holds; 0 if there was none.
	short int
}

// turn asks for one page after the other. The last is the one with which all declared rows are read. Without
// a declared number it is the first without further rows, or one that only repeats the page before. A short
// page proves nothing: it may have been cut off, and some sources silently answer with fewer rows than they
// were asked for.
func (t *turning) turn(ctx context.Context) error {
	n := t.First
	if t.By == "page" {
		n = max(n, 1)
	}
	for page := 1; ; page, n = page+1, n+1 {
		t.values["page"], t.values["offset"] = strconv.Itoa(n), strconv.Itoa(t.First+t.got-t.overlap())
		body, err := t.ask(ctx, t.step, "")
		if errors.Is(err, errMissing) && page > 1 {
			return nil // some answer so to a page past the end
		}
		if err != nil {
			return err
		}
		if done, err := t.take(body, page); done || err != nil {
			return err
		}
	}
}

// overlap is how many rows of the page before the next one begins with.
func (t *turning) overlap() int {
	if t.last == "" {
		return 0
	}
	return 1
}

// take keeps a page and reports whether it was the last.
func (t *turning) take(body []byte, page int) (last bool, err error) {
	rows := t.list(body)
	count := t.count(body)
	if t.overlap() > 0 {
		if count == 0 || rows.arr[0].Raw != t.last {
			t.doubt("rows moved between pages while they were read")
		} else {
			body, count = rows.behindFirst(body), count-1
		}
	}
	if t.got > 0 && count == 0 {
		return true, t.end(rows, body)
	}
	if again, err := t.again(t.step, t.seen, body, page); again || err != nil {
		return true, err
	}
	if err := t.keep(t.step, body); err != nil {
		return false, err
	}
	t.judge(rows, count, page)
	total, known := t.declared(body)
	if known {
		t.declare(total)
	}
	all, err := strconv.Atoi(total)
	return count == 0 || known && err == nil && t.got >= all, nil
}

// declared returns the number of all rows that a page states, as it is written.
func (p *Paging) declared(body []byte) (total string, known bool) {
	switch {
	case p.Total == "":
		return "", false
	case p.Count != "":
		m := regexp.MustCompile(p.Total).FindSubmatch(body)
		if m == nil {
			return "", false
		}
		return strings.ReplaceAll(string(m[1]), ",", ""), true
	default:
		number := gjson.GetBytes(body, p.Total)
		return number.String(), number.Exists()
	}
}

// end checks the page without rows that ends the series: an error answered with HTTP 200 is no end.
func (t *turning) end(rows jsonList, body []byte) error {
	if len(t.Rows) > 0 && !rows.array.Exists() {
		t.doubt("a page came without its list of rows")
	}
	if t.caller.Judge == nil {
		return nil
	}
	return t.caller.Judge(body)
}

// judge counts the rows of a page and notes what the page makes doubtful.
func (t *turning) judge(rows jsonList, count, page int) {
	if t.By == "page" && t.short > 0 && count > 0 {
		t.doubt(fmt.Sprintf("page %d has fewer rows than a page holds and is not the last", t.short))
	}
	if t.short == 0 && count < t.Size {
		t.short = page
	}
	t.seen.short = t.By == "page" && count < t.Size
	t.got += count
	if t.step.Keep {
		t.found.Rows += count
	}
	if t.By == "offset" && !t.Aligned && rows.can() {
		t.last = rows.arr[len(rows.arr)-1].Raw
	} else if page > 1 {
		t.found.Moving = true
	}
}

// declare notes the number of all rows that a page states.
func (t *turning) declare(total string) {
	if t.total != "" && t.total != total {
		t.doubt("the declared number of rows changed while they were read")
	}
	t.total = total
}

// list returns the rows of a page, if they are a list in JSON.
func (p *Paging) list(body []byte) jsonList {
	for _, path := range p.Rows {
		if rows := gjson.GetBytes(body, path); rows.IsArray() {
			return jsonList{array: rows, arr: rows.Array()}
		}
	}
	return jsonList{}
}

// count returns the number of rows of a page.
func (p *Paging) count(body []byte) int {
	if p.Count != "" {
		return len(regexp.MustCompile(p.Count).FindAllIndex(body, -1))
	}
	return len(p.list(body).arr)
}

// jsonList is a list of rows within a page.
type jsonList struct {
	array gjson.Result
	arr   []gjson.Result
}

// can reports whether the next page may begin with the last of the rows: it is known where they stand in the
// page.
func (l jsonList) can() bool {
	return len(l.arr) > 0 && (l.array.Index > 0 || strings.HasPrefix(l.array.Raw, "["))
}

// behindFirst returns the page without its first row.
func (l jsonList) behindFirst(body []byte) []byte {
	first := l.array.Index + strings.Index(l.array.Raw, l.arr[0].Raw)
	rest := body[first+len(l.arr[0].Raw):]
	if len(l.arr) > 1 {
		rest = rest[strings.IndexByte(string(rest), ',')+1:]
	}
	return append(body[:first:first], rest...)
}
