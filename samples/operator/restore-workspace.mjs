const TYPES = ['medication', 'lab_test', 'symptom', 'diagnosis']
const PART = 2000

async function recordsOf(client, type) {
  const records = new Map()
  for await (const record of client.records(type, { show_inactive: '1' })) records.set(record[`${type}_id`], record)
  return records
}

export async function restoreWorkspace(backup, live, { dryRun }) {
  const counts = {}
  for (const type of TYPES) {
    const before = await recordsOf(backup, type)
    const added = [...(await recordsOf(live, type)).keys()].filter((id) => !before.has(id))
    const inactive = added.map((id) => ({ [`${type}_id`]: id, is_active: false }))
    counts[type] = { restored: before.size, deactivated: added.length }
    if (dryRun) continue
    const write = async (records, query) => {
      for (let start = 0; start < records.length; start += PART) {
        const body = records.slice(start, start + PART)
        await live.post('/admin/datasets/v1/', { query: { type, ...query }, body })
      }
    }
    await write([...before.values()], { confirm_shrink: 'true' })
    await write(inactive, { keep_missing: 'true', confirm_shrink: 'true' })
  }
  return counts
}
