/** The beginning of the paths of the dataset endpoints, whose type is a parameter. */
export const DATASETS_PATH = '/admin/datasets/v1'

/**
 * The beginning of the paths of a catalog, whose type is part of the path. So no id can be mistaken for a fixed name.
 */
export const CATALOGS_PATH = '/admin/catalogs/v1'

export const UPLOADS_PATH = `${CATALOGS_PATH}/{type}/uploads` as const
