package db

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"rollcall/models"
)

// loadCounties reads the fixed counties of Georgia once, when the database is opened. They change
// only with the schema, so no code reads them again.
func loadCounties(ctx context.Context, rows *gorm.DB) (*models.Counties, error) {
	var all []*models.County
	if err := rows.WithContext(ctx).Order("slug").Find(&all).Error; err != nil {
		return nil, fmt.Errorf("read counties: %w", err)
	}
	return models.CountiesOf(all), nil
}
