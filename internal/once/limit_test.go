package once_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/once"
	"rollcall/models"
)

// hanging is a database that grants claims and then answers nothing more.
type hanging struct{}

func (hanging) BeginIdempotent(context.Context, string, string, []byte) (*models.KeptAnswer, *models.IdempotencyClaim, error) {
	return nil, &models.IdempotencyClaim{}, nil
}

func (hanging) FinishIdempotent(ctx context.Context, _ *models.IdempotencyClaim, _ models.KeptAnswer) error {
	<-ctx.Done()
	return ctx.Err()
}

func (hanging) ForgetIdempotent(ctx context.Context, _ *models.IdempotencyClaim) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestARequestGivesUpBeforeItsKeyMayBeClaimedAgain(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]bool{"work that ends too late": false, "work that fails too late": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				_, err := once.New(hanging{}, "acc_1", "key", nil).Do(t.Context(), http.Header{}, func(ctx context.Context) (models.KeptAnswer, bool, error) {
					<-ctx.Done()
					if fails {
						return models.KeptAnswer{}, false, ctx.Err()
					}
					return models.KeptAnswer{Status: http.StatusOK}, true, nil
				})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.LessOrEqual(t, time.Since(began), models.IdempotencyPatience/2, "with room for clocks that differ")
			})
		})
	}
}
