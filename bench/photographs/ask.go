package photographs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"rollcall/internal/machine"
	"rollcall/photo/vault"
)

// page is how many bookings are listed at once.
const page = 100

// ask asks for the photographs of a jail in turn, large ones and then small ones, each when the last one is there.
func (b *Bench) ask(ctx context.Context, of shots) (list []Sent, err error) {
	ids, err := b.ids(ctx, of)
	if err != nil {
		return nil, err
	}
	for _, size := range []vault.Size{vault.Large, vault.Small} {
		_, _ = fmt.Fprintf(b.Progress, "asking %d times for those of %s, %s\n", b.Requests, of.county, size)
		took, bytes := make([]time.Duration, b.Requests), 0
		for i := range took {
			began := time.Now()
			photograph, err := b.get(ctx, "/v1/roster/"+ids[i%len(ids)]+"/mugshot?size="+string(size))
			if err != nil {
				return nil, err
			}
			took[i], bytes = time.Since(began), bytes+len(photograph)
		}
		slices.Sort(took)
		quantile := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
		list = append(list, Sent{
			Width: of.width, Height: of.height, Size: size, KB: float64(bytes) / 1000 / float64(b.Requests), Requests: b.Requests,
			P50: quantile(0.5), P99: quantile(0.99), Load: machine.LoadAverage(),
		})
	}
	return list, nil
}

// ids lists the bookings of a jail. One without a photograph is an error.
func (b *Bench) ids(ctx context.Context, of shots) (ids []string, err error) {
	for len(ids) < of.number {
		text, err := b.get(ctx, fmt.Sprintf("/v1/roster?county=%s&limit=%d&offset=%d", of.county, page, len(ids)))
		if err != nil {
			return nil, err
		}
		var list struct {
			Records []struct {
				ID         string  `json:"id"`
				MugshotURL *string `json:"mugshot_url"`
			} `json:"records"`
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("read the list of bookings: %w", err)
		}
		if len(list.Records) == 0 {
			return nil, fmt.Errorf("%d of %d bookings are listed", len(ids), of.number)
		}
		for _, r := range list.Records {
			if r.MugshotURL == nil {
				return nil, errors.New("a booking has no photograph: " + r.ID)
			}
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// get returns what the service answers.
func (b *Bench) get(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.URL+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", path, err)
	}
	client := &http.Client{Timeout: 30 * time.Second} // of the connections that are open
	r.Header.Set("Authorization", "Bearer "+b.Key)
	answer, err := client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", path, err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was read
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("ask %s: %s", path, answer.Status), err)
	}
	return body, nil
}
