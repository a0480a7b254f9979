package takeover

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/clean"
	"rollcall/ingest/value"
	"rollcall/models"
	"rollcall/models/snapshot"
)

// courtCase is one line of courts.jsonl: the fields of a court case and its detail in SPEC.md. Fields that
// are absent are empty or nil, and unknown ones are ignored.
type courtCase struct {
	CaseNumber  string  `json:"case_number"`
	Defendant   string  `json:"defendant"`
	Offense     string  `json:"offense"`
	CourtType   string  `json:"court_type"`
	County      string  `json:"county"`
	FiledDate   string  `json:"filed_date"`
	Status      string  `json:"status"`
	Judge       *string `json:"judge"`
	HearingLink *string `json:"hearing_link"`
	Hearings    []struct {
		Date     string  `json:"date"`
		Time     string  `json:"time"`
		Judge    *string `json:"judge"`
		Location *string `json:"location"`
		Link     *string `json:"zoom_link"`
	} `json:"hearings"`
	Dispositions []struct {
		Date     string  `json:"date"`
		Outcome  string  `json:"outcome"`
		Sentence *string `json:"sentence"`
	} `json:"dispositions"`
}

// maxLine bounds a line of courts.jsonl, in bytes.
const maxLine = 4 << 20

// cases takes courts.jsonl over. A line that is no case goes to quarantine, and the others are taken.
func (x *importing) cases(b *batch, files []string) (snapshot.Applied, error) {
	applied, _, err := x.Store.ReconcileCourts(b.ctx, b.reconciler(), rows(func(yield func(*snapshot.CourtRow) bool) error {
		return b.jsonLines(files[0], func(text []byte, line int64) error {
			var c courtCase
			if sound := json.Unmarshal(text, &c) == nil; !sound {
				b.reject(line, "", "is no JSON of a case", string(text))
				return nil
			}
			k, wrong := b.courtRow(&c, line)
			if wrong != nil {
				b.reject(line, wrong.field, wrong.reason, string(text))
				return nil
			}
			if !yield(k) {
				return errStopped
			}
			return nil
		})
	}))
	return known(applied), err
}

// jsonLines passes each line that is not blank to each, with its number. A line that is too long ends the
// import: what it holds is not known.
func (b *batch) jsonLines(path string, each func(text []byte, line int64) error) error {
	f, err := os.Open(path) //nolint:gosec // the operator names the directory
	if err != nil {
		return fmt.Errorf("open courts.jsonl: %w", err)
	}
	defer func() { _ = f.Close() }()
	r := bufio.NewReaderSize(&counted{r: f, tell: b.importing.read}, maxLine)
	for line := int64(1); ; line++ {
		text, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("line %d of courts.jsonl is longer than %d bytes", line, maxLine)
		}
		if len(strings.TrimSpace(string(text))) > 0 {
			if err := each(text, line); err != nil {
				return err
			}
			if len(b.bad) >= flushAt {
				if err := b.flush(); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read courts.jsonl: %w", err)
		}
	}
}

// courtRow converts a case. What /v1 has no null for is required.
func (b *batch) courtRow(c *courtCase, line int64) (*snapshot.CourtRow, *bad) {
	county := b.Store.Counties().Find(c.County)
	filed, err := models.ParseDate(c.FiledDate)
	kind, status := strings.ToLower(c.CourtType), strings.ToLower(c.Status)
	switch {
	case county == nil:
		return nil, &bad{"county", "is not a county of Georgia"}
	case err != nil:
		return nil, &bad{"filed_date", "is no date such as 2026-03-08"}
	case strings.TrimSpace(c.CaseNumber) == "":
		return nil, &bad{"case_number", "is missing"}
	case strings.TrimSpace(c.Defendant) == "":
		return nil, &bad{"defendant", "is missing"}
	case !slices.Contains([]string{"state", "superior", "magistrate", "warrants"}, kind):
		return nil, &bad{"court_type", "is not one of state, superior, magistrate, warrants"}
	case !slices.Contains([]string{"pending", "closed", "warrant"}, status):
		return nil, &bad{"status", "is not one of pending, closed, warrant"}
	}
	// Party 1 is that of sources without parties, which so find the case. Whole means that parts which are
	// not listed do not exist.
	k := &snapshot.CourtRow{
		CaseKey: snapshot.CaseKey{CountyID: county.ID, CourtType: kind, Number: c.CaseNumber, Party: "1"},
		Whole:   true, SeenAt: b.now, Line: line,
		Case: &snapshot.CaseFacts{
			Defendant: c.Defendant, Offense: c.Offense, Filed: filed, Status: status,
			Judge: text(c.Judge), HearingLink: b.link("hearing_link", c.HearingLink),
		},
	}
	if wrong := b.parts(c, k); wrong != nil {
		return nil, wrong
	}
	if dirty := clean.Court(k); dirty != nil {
		return nil, &bad{dirty.Field, dirty.Reason}
	}
	return k, nil
}

// link returns the address of a virtual hearing, under the rule of sources: one that is no address is left
// out and counted.
func (b *batch) link(field string, said *string) string {
	address := strings.TrimSpace(text(said))
	if address != "" && !value.OfTheWeb(address) {
		b.LeftOut[field+": "+value.NoLink]++
		return ""
	}
	return address
}

// parts takes the hearings and dispositions of a case. A hearing is known by its day and time; several of one
// minute are numbered.
func (b *batch) parts(c *courtCase, k *snapshot.CourtRow) *bad {
	seen := map[string]int{}
	for _, h := range c.Hearings {
		day, err := models.ParseDate(h.Date)
		if err != nil {
			return &bad{"hearings.date", "is no date such as 2026-03-08"}
		}
		clock := strings.TrimSpace(h.Time)
		if clock != "" {
			t, err := time.Parse("15:04", clock)
			if err != nil {
				return &bad{"hearings.time", "is no time such as 09:30"}
			}
			clock = t.Format("15:04")
		}
		// The old system has no numbers of hearings. Day and time are what a source without numbers is known
		// by too, so its hearings meet these.
		event := h.Date + "T" + clock
		if seen[event]++; seen[event] > 1 {
			event = fmt.Sprintf("%s#%d", event, seen[event])
		}
		k.Hearings = append(k.Hearings, snapshot.HearingFacts{
			Event: event, Date: day, Time: clock, StartsAt: at(day, clock), Judge: text(h.Judge), Location: text(h.Location), Link: b.link("hearings.zoom_link", h.Link),
		})
	}
	for i, d := range c.Dispositions {
		day, err := models.ParseDate(d.Date)
		if err != nil {
			return &bad{"dispositions.date", "is no date such as 2026-03-08"}
		}
		k.Dispositions = append(k.Dispositions, snapshot.DispositionFacts{Seq: int16(i + 1), Date: day, Outcome: d.Outcome, Sentence: text(d.Sentence)})
	}
	return nil
}

// text is the text, or nothing for null.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
